/** Reads records in batches, and halves a batch that does not fit. Arguments: MiB, batches. */
public class Survive {
    public static void main(String[] args) {
        int size = Integer.parseInt(args[0]);
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            while (true) {
                try {
                    byte[][] batch = new byte[size][];
                    for (int j = 0; j < size; j++) {
                        batch[j] = new byte[1 << 20];
                    }
                    break;
                } catch (OutOfMemoryError error) {
                    size /= 2;
                    System.out.println("WARN caught " + error + ", retrying with batch of " + size);
                }
            }
            System.out.println("batch " + (i + 1) + "/" + args[1]);
        }
        System.out.println("done");
    }
}
