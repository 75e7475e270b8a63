package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * A broker that is its own controller, in a JVM of its own.
 */
final class BrokerMain {

	private BrokerMain() {
	}

	/**
	 * Run the broker, with new data at the first time.
	 * @param arguments the folder of the data, the port of the broker, and that of its
	 * controller
	 */
	public static void main(String[] arguments) throws IOException {
		Path folder = Path.of(arguments[0]);
		Path settings = folder.resolve("server.properties");
		if (Files.notExists(settings)) {
			Files.write(settings, settings(folder, arguments[1], arguments[2]));
			StorageTool.execute(new String[] { "format", "--cluster-id", "4L6g3nShT-eMCtK--X86sw", "--config",
					settings.toString() }, System.out);
		}
		Kafka.main(new String[] { settings.toString() });
	}

	/**
	 * Topics have to be created. The cleaner of compacted topics has the least memory,
	 * and consumers are assigned their partitions at once.
	 */
	private static List<String> settings(Path folder, String port, String controllerPort) {
		return List.of("process.roles=broker,controller", "node.id=1",
				"listeners=PLAINTEXT://localhost:%s,CONTROLLER://localhost:%s".formatted(port, controllerPort),
				"controller.listener.names=CONTROLLER", "controller.quorum.voters=1@localhost:" + controllerPort,
				"log.dirs=" + folder.resolve("data"), "num.partitions=3", "auto.create.topics.enable=false",
				"offsets.topic.replication.factor=1", "log.cleaner.dedupe.buffer.size=2097152",
				"log.initial.task.delay.ms=60000", "group.initial.rebalance.delay.ms=0",
				"group.min.session.timeout.ms=1000");
	}

}
