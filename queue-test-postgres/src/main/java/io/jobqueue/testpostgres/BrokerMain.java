package io.jobqueue.testpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * A broker that is a controller as well, in a JVM of its own.
 */
final class BrokerMain {

	/**
	 * All is permitted that no rule forbids. Controllers that vote with others have no
	 * rights until they have read the rules, which takes a vote.
	 */
	private static final List<String> RULES = List.of(
			"authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
			"allow.everyone.if.no.acl.found=true");

	private BrokerMain() {
	}

	/**
	 * Run the broker, with new data at the first time.
	 * @param arguments the folder of the data, the id, the port, and the controllers of
	 * the cluster
	 */
	public static void main(String[] arguments) throws IOException {
		Path folder = Files.createDirectories(Path.of(arguments[0]));
		Path settings = folder.resolve("server.properties");
		if (Files.notExists(settings)) {
			Files.write(settings, settings(folder, arguments[1], arguments[2], arguments[3].split(",")));
			StorageTool.execute(new String[] { "format", "--cluster-id", "4L6g3nShT-eMCtK--X86sw", "--config",
					settings.toString() }, System.out);
		}
		Kafka.main(new String[] { settings.toString() });
	}

	/**
	 * Topics have to be created. The cleaner of compacted topics has the least memory,
	 * consumers are assigned their partitions at once, and those of a killed broker are
	 * led by another one after 3 s. The locks of share groups may be short.
	 */
	private static List<String> settings(Path folder, String id, String port, String[] voters) {
		String controller = voters[Integer.parseInt(id) - 1].replaceFirst(".*@", "");
		List<String> all = new ArrayList<>(List.of("process.roles=broker,controller", "node.id=" + id,
				"listeners=PLAINTEXT://localhost:%s,CONTROLLER://%s".formatted(port, controller),
				"controller.listener.names=CONTROLLER", "controller.quorum.voters=" + String.join(",", voters),
				"log.dirs=" + folder.resolve("data"), "num.partitions=3", "auto.create.topics.enable=false",
				"offsets.topic.replication.factor=" + voters.length, "offsets.topic.num.partitions=1",
				"log.cleaner.dedupe.buffer.size=2097152", "log.initial.task.delay.ms=60000",
				"transaction.state.log.num.partitions=1", "transaction.state.log.replication.factor=" + voters.length,
				"transaction.state.log.min.isr=1", "group.initial.rebalance.delay.ms=0",
				"group.min.session.timeout.ms=1000", "broker.session.timeout.ms=3000",
				"broker.heartbeat.interval.ms=500", "share.coordinator.state.topic.num.partitions=1",
				"share.coordinator.state.topic.replication.factor=" + voters.length,
				"share.coordinator.state.topic.min.isr=1", "group.share.min.record.lock.duration.ms=1000",
				"group.share.min.heartbeat.interval.ms=500", "group.share.heartbeat.interval.ms=500"));
		if (voters.length == 1) {
			all.addAll(RULES);
		}
		return all;
	}

}
