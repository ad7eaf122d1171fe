// Reads records in batches. Arguments: batch, batches, keep or drop.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

int main(int, char **argv)
{
    std::vector<std::vector<double>> cache;
    for (int i = 0; i < atoi(argv[2]); i++) {
        std::vector<double> batch(8192UL * atoi(argv[1]), 1.0);
        if (std::string(argv[3]) == "keep")
            cache.push_back(batch);
        std::cout << "batch " << i + 1 << "/" << argv[2] << std::endl;
    }
    std::cout << "done" << std::endl;
}
