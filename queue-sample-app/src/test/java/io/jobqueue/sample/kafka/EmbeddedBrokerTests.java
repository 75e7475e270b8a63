package io.jobqueue.sample.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow") // starts a broker, twice
class EmbeddedBrokerTests {

	@TempDir
	private Path folder;

	@Test
	void topicsOutliveTheBroker() throws Exception {
		try (EmbeddedBroker broker = EmbeddedBroker.start(this.folder); Admin admin = admin(broker)) {
			admin.createTopics(List.of(new NewTopic("signed-up", 3, (short) 1))).all().get();
		}
		assertThat(topics()).containsExactly("signed-up");
	}

	private Set<String> topics() throws IOException, InterruptedException, ExecutionException {
		try (EmbeddedBroker broker = EmbeddedBroker.start(this.folder); Admin admin = admin(broker)) {
			return admin.listTopics().names().get();
		}
	}

	private static Admin admin(EmbeddedBroker broker) {
		return Admin.create(Map.of("bootstrap.servers", broker.address()));
	}

}
