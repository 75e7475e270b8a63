package io.jobqueue.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;

import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.benchmark.BenchmarkApplication.NoOps;

/**
 * A worker in another JVM, which prints when its handler started.
 */
final class OtherJvm {

	private static final String READY = "ready";

	private static final String ARRIVAL = "arrival ";

	private OtherJvm() {
	}

	static Process start(String url) throws IOException {
		return new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp",
				System.getProperty("java.class.path"), OtherJvm.class.getName(), url)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	static void awaitReady(BufferedReader output) throws IOException {
		String line = output.readLine();
		while (line != null && !line.equals(READY)) {
			line = output.readLine();
		}
	}

	static long arrival(BufferedReader output) {
		try {
			String line = output.readLine();
			while (line != null && !line.startsWith(ARRIVAL)) {
				line = output.readLine();
			}
			if (line == null) {
				throw new IllegalStateException("The other JVM ended");
			}
			return Long.parseLong(line, ARRIVAL.length(), line.length(), 10);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static void main(String[] args) {
		ConfigurableApplicationContext application = BenchmarkApplication.start(args[0]);
		application.getBean(NoOps.class).onJob((number) -> System.out.println(ARRIVAL + Latency.micros()));
		System.out.println(READY);
	}

}
