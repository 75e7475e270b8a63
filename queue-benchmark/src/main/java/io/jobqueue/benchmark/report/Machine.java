package io.jobqueue.benchmark.report;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * What the measurements ran on, without its name or its paths.
 */
final class Machine {

	private static final long MIB = 1024L * 1024;

	private Machine() {
	}

	static Map<String, String> describe(BenchmarkDatabase database) {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("Cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
		facts.put("Memory", mib(memory()));
		facts.put("Operating system", System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
				+ System.getProperty("os.arch"));
		facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
		facts.put("Heap", "at most " + mib(Runtime.getRuntime().maxMemory()));
		facts.put("PostgreSQL", database.version());
		facts.put("Server", database.isOwn() ? "embedded, on the same machine" : "given by BENCH_POSTGRES_URL");
		return facts;
	}

	private static long memory() {
		return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
	}

	private static String mib(long bytes) {
		return bytes / MIB + " MiB";
	}

}
