package io.jobqueue.benchmark.against;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Map;

/**
 * A build of the benchmark and of the queue that it measures.
 *
 * @param name the name of the build
 * @param classPath the class path of its benchmark
 */
record Build(String name, String classPath) {

	static Build running() {
		return new Build("this", System.getProperty("java.class.path"));
	}

	/**
	 * Run one round of a scenario in a new JVM, beside a server of its own.
	 * @param scenario the name of the scenario
	 * @return its figures
	 * @throws IllegalStateException if the JVM prints no result, as when this build does
	 * not have the scenario
	 */
	Map<String, Double> measure(String scenario) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp",
				this.classPath, "io.jobqueue.benchmark.Bench", scenario)
			.redirectError(ProcessBuilder.Redirect.INHERIT);
		builder.environment().put("BENCH_ROUNDS", "1");
		Process process = builder.start();
		try (BufferedReader output = process.inputReader()) {
			String line = output.lines()
				.filter((printed) -> ResultLine.isOf(scenario, printed))
				.findFirst()
				.orElseThrow(() -> new IllegalStateException(
						"The build '%s' has no result of scenario '%s'".formatted(this.name, scenario)));
			process.onExit().join();
			return ResultLine.figures(line);
		}
		finally {
			process.destroyForcibly();
		}
	}

}
