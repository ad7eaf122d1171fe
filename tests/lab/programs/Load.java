import java.util.ArrayList;
import java.util.List;

/** Reads records in batches. Arguments: batch, batches, keep or drop. */
public class Load {
    static final List<byte[][]> cache = new ArrayList<>();

    static byte[][] readBatch(int size) {
        byte[][] batch = new byte[size][];
        for (int i = 0; i < size; i++) {
            batch[i] = new byte[64 << 10];
        }
        return batch;
    }

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            byte[][] batch = readBatch(Integer.parseInt(args[0]));
            if (args[2].equals("keep")) {
                cache.add(batch);
            }
            System.out.println("batch " + (i + 1) + "/" + args[1]);
        }
        System.out.println("done");
    }
}
