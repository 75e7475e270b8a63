package io.jobqueue.sample;

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
 * An instance that stops finishes its jobs, and takes orders until then.
 */
@Tag("slow") // starts JVMs
class StopsGracefullyTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final String SENDER = "sample@sample.example";

	@TempDir
	private Path dataFolder;

	@Test
	void finishesItsJobsAndLeavesThoseThatAreEnqueuedMeanwhile() {
		try (SlowMailServer mails = new SlowMailServer()) {
			long before;
			long meanwhile;
			try (SampleJvm stopping = start(mails)) {
				before = stopping.client().signUp("Ada", "ada@example.org");
				await().atMost(PATIENCE).until(() -> signups(mails), List.of(before)::equals);
				stopping.terminate();
				meanwhile = stopping.client().signUp("Grace", "grace@example.org");
				mails.answer();
			}
			assertThat(signups(mails)).containsExactly(before);
			try (SampleJvm next = start(mails)) {
				assertThat(next.client().status(before)).isEqualTo("MAILED");
				await().atMost(PATIENCE).until(() -> next.client().status(meanwhile), "MAILED"::equals);
				assertThat(signups(mails)).containsExactly(before, meanwhile);
			}
		}
	}

	private static List<Long> signups(SlowMailServer mails) {
		return mails.from(SENDER).stream().map(Mail::signup).map(Long::valueOf).toList();
	}

	private SampleJvm start(SlowMailServer mails) {
		return SampleJvm.start(this.dataFolder, "--sample.mail.from=" + SENDER, "--spring.mail.host=127.0.0.1",
				"--spring.mail.port=" + mails.port());
	}

}
