package io.jobqueue.testpostgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * A broker of a cluster in a JVM of its own, which is one of its controllers as well.
 */
final class BrokerProcess {

	private final int id;

	private final Path folder;

	private final int port = FreePort.find();

	private final int controllerPort = FreePort.find();

	private String voters = "";

	private @Nullable ChildJvm process;

	private BrokerProcess(int id, Path folder) {
		this.id = id;
		this.folder = folder;
	}

	/**
	 * Create the brokers of a cluster, without starting them.
	 * @param folder where each has a folder
	 * @param size their number
	 * @return the brokers, whose ids begin with 1
	 */
	static List<BrokerProcess> cluster(Path folder, int size) {
		List<BrokerProcess> brokers = IntStream.rangeClosed(1, size)
			.mapToObj((id) -> new BrokerProcess(id, folder.resolve(String.valueOf(id))))
			.toList();
		String voters = brokers.stream().map(BrokerProcess::voter).collect(Collectors.joining(","));
		brokers.forEach((broker) -> broker.voters = voters);
		return brokers;
	}

	private String voter() {
		return "%s@localhost:%s".formatted(this.id, this.controllerPort);
	}

	String address() {
		return "localhost:" + this.port;
	}

	void start() {
		this.process = ChildJvm.start(BrokerMain.class, Map.of(), this.folder.toString(), String.valueOf(this.id),
				String.valueOf(this.port), this.voters);
	}

	private ChildJvm process() {
		if (this.process == null) {
			throw new IllegalStateException("The broker has not been started");
		}
		return this.process;
	}

	Duration processorTime() {
		return ProcessHandle.of(process().pid())
			.flatMap((running) -> running.info().totalCpuDuration())
			.orElse(Duration.ZERO);
	}

	boolean isRunning() {
		return this.process != null && ProcessHandle.of(this.process.pid()).isPresent();
	}

	void kill() {
		process().kill();
	}

	void freeze() {
		process().freeze();
	}

	void thaw() {
		process().thaw();
	}

}
