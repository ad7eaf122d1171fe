import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fills one memory of the virtual machine: heap, direct, strings, threads or metaspace. */
public class Heap {
    static final List<Object> KEPT = new ArrayList<>();

    public static class Shape { }

    static class Loader extends ClassLoader {
        Class<?> make(byte[] code) { return defineClass(null, code, 0, code.length); }
    }

    public static void main(String[] args) throws Exception {
        byte[] code = Heap.class.getResourceAsStream("Heap$Shape.class").readAllBytes();
        Map<Integer, String> sessions = new HashMap<>();
        for (int i = 1;; i++) {
            switch (args[0]) {
            case "heap": KEPT.add(new byte[1 << 20]); break;
            case "direct": KEPT.add(ByteBuffer.allocateDirect(1 << 20)); break;
            case "strings": sessions.put(i, "session-" + i + "x".repeat(2000)); break;
            case "metaspace": KEPT.add(new Loader().make(code)); break;
            case "array": KEPT.add(new long[Integer.MAX_VALUE - 2]); break;
            default: throw new IllegalArgumentException(args[0]);
            }
            if (i % Integer.parseInt(args[1]) == 0) System.out.println("[worker] handled " + i + " items");
        }
    }
}
