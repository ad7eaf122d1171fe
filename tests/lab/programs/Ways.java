import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Other ways to run out of a JVM's memory. Arguments: what, how many. */
public class Ways {
    static int deep(int n) {
        return n + deep(n + 1);
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[1]);
        switch (args[0]) {
            case "direct" -> {
                List<ByteBuffer> buffers = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                    buffers.add(ByteBuffer.allocateDirect(1 << 20));
                }
            }
            case "small" -> {
                Map<Integer, String> cache = new HashMap<>();
                for (int i = 0; i < n; i++) {
                    cache.put(i, "entry " + i);
                }
            }
            case "array" -> System.out.println(new int[n].length);
            case "deep" -> System.out.println(deep(0));
            default -> Thread.sleep(n);
        }
        System.out.println("done");
    }
}
