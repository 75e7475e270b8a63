package io.jobqueue.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample with a broker and a second application.
 */
@Tag("slow") // starts a JVM
class KafkaProfileTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@TempDir
	private Path dataFolder;

	@Test
	void signupsArriveInTheSecondApplication() {
		try (SampleJvm sample = SampleJvm.start(this.dataFolder, "--spring.profiles.active=kafka",
				"--sample.newsletter-port=0")) {
			SampleClient newsletter = sample.newsletter();
			sample.client().signUp("Ada", "ada@example.org");
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(newsletter.page("/subscribers").getBody()).contains("ada@example.org"));
		}
	}

}
