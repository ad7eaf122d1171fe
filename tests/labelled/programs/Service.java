import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/** A service that reaches a limit of its virtual machine: gc, pieces, builder, cache, rows or stack. */
public class Service {
    static final Map<String, byte[]> CACHE = new HashMap<>();

    public static void main(String[] args) throws Exception {
        int report = Integer.parseInt(args[1]);
        List<Object> kept = new LinkedList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 1;; i++) {
            switch (args[0]) {
            case "gc": for (int k = 0; k < 1000; k++) kept.add(Integer.valueOf(i * 1000 + k)); break;
            case "pieces": kept.add(new byte[700 << 10]); if (i % 2 == 0) kept.set(kept.size() - 2, null); break;
            case "builder": text.append("row ").append(i).append(" of the export file\n".repeat(1000)); break;
            case "cache": CACHE.put("key" + i, new byte[64 << 10]); break;
            case "rows": List<String> row = new ArrayList<>(); for (int k = 0; k < 50; k++) row.add("cell " + i + "/" + k); kept.add(row); break;
            default: throw new IllegalArgumentException(args[0]);
            }
            if (i % report == 0) System.out.println("INFO  processed " + i + " records, heap used "
                + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20) + " MB");
        }
    }
}
