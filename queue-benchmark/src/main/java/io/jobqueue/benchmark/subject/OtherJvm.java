package io.jobqueue.benchmark.subject;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Another JVM of the same kind and with the same class path, which prints what it does.
 * It is killed when closed.
 */
public final class OtherJvm implements AutoCloseable {

	private final Process process;

	private final BufferedWriter input;

	private final BufferedReader output;

	private OtherJvm(Process process) {
		this.process = process;
		this.input = process.outputWriter();
		this.output = process.inputReader();
	}

	/**
	 * Start a JVM.
	 * @param options options of the JVM, such as {@code -Xmx64m}
	 * @param mainClass the class to run
	 * @param arguments the arguments of its main method
	 * @return the started JVM
	 */
	public static OtherJvm start(List<String> options, Class<?> mainClass, String... arguments) throws IOException {
		return start(ProcessBuilder.Redirect.INHERIT, options, mainClass, arguments);
	}

	/**
	 * Start a JVM.
	 * @param errors where its log goes
	 * @param options options of the JVM, such as {@code -Xmx64m}
	 * @param mainClass the class to run
	 * @param arguments the arguments of its main method
	 * @return the started JVM
	 */
	public static OtherJvm start(ProcessBuilder.Redirect errors, List<String> options, Class<?> mainClass,
			String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(ProcessHandle.current().info().command().orElse("java"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
		command.addAll(List.of(arguments));
		return new OtherJvm(new ProcessBuilder(command).redirectError(errors).start());
	}

	/**
	 * Read lines until one begins with the given text.
	 * @param beginning what to look for
	 * @return the rest of that line
	 */
	public String await(String beginning) {
		try {
			String line = this.output.readLine();
			while (line != null && !line.startsWith(beginning)) {
				line = this.output.readLine();
			}
			if (line == null) {
				throw new IllegalStateException("The other JVM ended without '%s'".formatted(beginning));
			}
			return line.substring(beginning.length());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write a line to it.
	 * @param line the line
	 */
	public void write(String line) throws IOException {
		this.input.write(line + System.lineSeparator());
		this.input.flush();
	}

	/**
	 * Write a line to it, and wait until it has done what that says.
	 * @param order the line
	 * @return what it answered
	 */
	public String order(String order) throws IOException {
		write(order);
		return answer(order);
	}

	/**
	 * Wait until it has followed an order.
	 * @param order the order
	 * @return what it answered
	 */
	public String answer(String order) {
		return await(Orders.DONE + order + " ");
	}

	/**
	 * Return the process as the system knows it.
	 * @return its handle
	 */
	public ProcessHandle handle() {
		return this.process.toHandle();
	}

	/**
	 * End its input: there is nothing more to do.
	 */
	public void endInput() throws IOException {
		this.input.close();
	}

	/**
	 * Let it end by itself.
	 * @return its exit value, 0 if all was well
	 */
	public int end() throws IOException, InterruptedException {
		endInput();
		return this.process.waitFor();
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
