package io.jobqueue.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.jobqueue.sample.SlowMailServer.Mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances on one database share the work, also that of a killed one. The latter is
 * an executable jar on the newest Java that is installed, with virtual threads: it
 * receives the signals of the other.
 */
@Tag("slow") // kills JVMs
class SharesWorkTests {

	private static final int CONCURRENCY = 4;

	private static final int SIGNUPS = 10 * CONCURRENCY;

	private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(3);

	private static final Duration REAPER_INTERVAL = Duration.ofSeconds(1);

	/**
	 * Half of the worker timeout that the application would have without the setting.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@TempDir
	private Path dataFolder;

	@Test
	void runsTheJobsOfAKilledInstanceOnTheOther(@TempDir Path jars) throws IOException {
		Path jar = ExecutableJar.build(jars);
		try (SlowMailServer mails = new SlowMailServer();
				SampleJvm survivor = SampleJvm.start(this.dataFolder, settings("survivor@sample.example", mails));
				SampleJvm victim = SampleJvm.startJar(ExecutableJar.newestJava(), jar, this.dataFolder,
						settings("victim@sample.example", mails))) {
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(victim.client().page("/actuator/health").getBody())
					.contains("\"wakeUp\":\"signals\""));
			for (int person = 0; person < SIGNUPS; person++) {
				survivor.client().signUp("Person " + person, "person-%d@example.org".formatted(person));
			}
			await().atMost(PATIENCE).until(() -> mails.from("victim@sample.example").size() == CONCURRENCY);
			await().atMost(PATIENCE).until(() -> mails.from("survivor@sample.example").size() == CONCURRENCY);
			List<Mail> interrupted = mails.from("victim@sample.example");
			victim.kill();
			mails.answer();
			assertThat(interrupted).allSatisfy((mail) -> {
				Mail again = awaitMail(mails, mail.signup());
				assertThat(again.receivedAt()).isGreaterThan(mail.receivedAt());
			});
			await().atMost(PATIENCE).until(() -> mails.from("survivor@sample.example").size() >= SIGNUPS);
		}
	}

	private static Mail awaitMail(SlowMailServer mails, String signup) {
		return await().atMost(PATIENCE)
			.until(() -> mails.from("survivor@sample.example")
				.stream()
				.filter((mail) -> mail.signup().equals(signup))
				.toList(), (found) -> !found.isEmpty())
			.get(0);
	}

	private static String[] settings(String sender, SlowMailServer mails) {
		return new String[] { "--sample.mail.from=" + sender, "--spring.mail.host=127.0.0.1",
				"--spring.mail.port=" + mails.port(), "--spring.mail.properties.mail.smtp.timeout=60000",
				"--spring.threads.virtual.enabled=true", "--jobqueue.queues.emails.concurrency=" + CONCURRENCY,
				"--jobqueue.worker.heartbeat-interval=1s",
				"--jobqueue.worker.timeout=" + WORKER_TIMEOUT.toSeconds() + "s",
				"--jobqueue.reaper.interval=" + REAPER_INTERVAL.toSeconds() + "s" };
	}

}
