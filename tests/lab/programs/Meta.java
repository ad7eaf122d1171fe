import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Plugins that are loaded again and again. Arguments: how many. */
public class Meta {
    public static void main(String[] args) throws Exception {
        List<Object> plugins = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            ClassLoader loader = new URLClassLoader(new URL[0], null);
            plugins.add(Proxy.newProxyInstance(loader, new Class<?>[] {Runnable.class}, (p, m, a) -> null));
            if (i % 1000 == 0) {
                System.out.println("loaded " + i + " plugins");
            }
        }
        System.out.println("done");
    }
}
