package io.jobqueue.testpostgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A child process that runs a main class with the same JVM and class path as this one, or
 * an executable jar with another JVM, and with the {@code -XX} options of this one. It
 * can be suspended, terminated and killed, and its output, which includes its error
 * stream, can be read.
 */
public final class ChildJvm implements AutoCloseable {

	private final Process process;

	private final BlockingQueue<Optional<String>> unread = new LinkedBlockingQueue<>();

	private final List<String> read = new ArrayList<>();

	private ChildJvm(Process process) {
		this.process = process;
		Thread reader = new Thread(this::readOutput, "output of JVM " + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Start a JVM.
	 * @param mainClass the class to run
	 * @param environment variables to add to the environment of this JVM
	 * @param arguments the arguments of the main method
	 * @return the started JVM
	 */
	public static ChildJvm start(Class<?> mainClass, Map<String, String> environment, String... arguments) {
		String java = ProcessHandle.current().info().command().orElse("java");
		return start(java, List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()), environment,
				arguments);
	}

	/**
	 * Start a JVM with an executable jar.
	 * @param java the command that starts a JVM
	 * @param jar the jar
	 * @param arguments the arguments of the main method
	 * @return the started JVM
	 */
	public static ChildJvm startJar(Path java, Path jar, String... arguments) {
		return start(java.toString(), List.of("-jar", jar.toString()), Map.of(), arguments);
	}

	private static ChildJvm start(String java, List<String> program, Map<String, String> environment,
			String... arguments) {
		ProcessBuilder builder = new ProcessBuilder(command(java, program, arguments)).redirectErrorStream(true);
		builder.environment().putAll(environment);
		try {
			return new ChildJvm(builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> command(String java, List<String> program, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(java);
		ManagementFactory.getRuntimeMXBean()
			.getInputArguments()
			.stream()
			.filter((argument) -> argument.startsWith("-XX:"))
			.forEach(command::add);
		command.addAll(program);
		command.addAll(List.of(arguments));
		return command;
	}

	/**
	 * Return the process id.
	 * @return the process id
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Read lines, beyond those read by earlier calls, until one contains the given text.
	 * @param text the text
	 * @param timeout the maximum time to wait
	 * @return the line
	 * @throws AssertionError if the JVM ended or the timeout elapsed without such a line
	 */
	public String awaitLine(String text, Duration timeout) {
		return awaitLine((line) -> line.contains(text), timeout);
	}

	/**
	 * Read lines, beyond those read by earlier calls, until one matches.
	 * @param wanted the condition
	 * @param timeout the maximum time to wait
	 * @return the line
	 * @throws AssertionError if the JVM ended or the timeout elapsed without such a line
	 */
	public String awaitLine(Predicate<String> wanted, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		Optional<String> line = nextLine(deadline);
		while (line.isPresent() && !wanted.test(line.get())) {
			line = nextLine(deadline);
		}
		return line.orElseThrow(() -> new AssertionError("Expected line did not appear within %s; output:%n%s"
			.formatted(timeout, String.join(System.lineSeparator(), this.read))));
	}

	private Optional<String> nextLine(long deadline) {
		try {
			Optional<String> line = this.unread.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			if (line == null) {
				return Optional.empty();
			}
			line.ifPresentOrElse(this.read::add, () -> this.unread.add(Optional.empty()));
			return line;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

	/**
	 * Write a line to the standard input of the JVM.
	 * @param line the line
	 */
	public void say(String line) {
		try {
			Writer input = this.process.outputWriter();
			input.write(line + System.lineSeparator());
			input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Kill the JVM (SIGKILL) and wait until it has ended.
	 */
	public void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/**
	 * Suspend all threads of the JVM (SIGSTOP), to simulate a long pause.
	 */
	public void freeze() {
		signal("STOP");
	}

	/**
	 * Resume a suspended JVM (SIGCONT).
	 */
	public void thaw() {
		signal("CONT");
	}

	/**
	 * Request a shutdown of the JVM (SIGTERM).
	 */
	public void terminate() {
		signal("TERM");
	}

	/**
	 * Wait until the JVM has ended.
	 * @param timeout the maximum time to wait
	 * @return the exit code
	 * @throws AssertionError if it has not ended within the timeout
	 */
	public int awaitExit(Duration timeout) {
		try {
			if (this.process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
				return this.process.exitValue();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw new AssertionError("JVM %s is still running after %s".formatted(pid(), timeout));
	}

	@Override
	public void close() {
		kill();
	}

	private void signal(String name) {
		try {
			int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(pid())).start()
				.onExit()
				.join()
				.exitValue();
			if (exit != 0) {
				throw new IllegalStateException("Could not signal JVM %s with SIG%s".formatted(pid(), name));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void readOutput() {
		try (BufferedReader output = this.process.inputReader()) {
			output.lines().forEach((line) -> this.unread.add(Optional.of(line)));
		}
		catch (IOException | UncheckedIOException ex) {
			// killing the process closes its output
		}
		finally {
			this.unread.add(Optional.empty());
		}
	}

}
