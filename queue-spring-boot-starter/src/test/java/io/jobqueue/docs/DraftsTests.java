package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The example of a test without a database.
 */
class DraftsTests {

	@Test
	void draftIsCheckedASecondAfterItsLastChange() {
		RecordingJobQueue queue = new RecordingJobQueue();
		new Drafts(queue).type(7, "Hello");
		assertThat(queue.requests()).containsExactly(JobRequest.of(new DraftChanged(7, "Hello"))
			.key("draft-7")
			.onDuplicate(OnDuplicate.DEBOUNCE)
			.delay(Duration.ofSeconds(1)));
	}

	@Test
	void recordingQueueTakesWhateverTheRealOneTakes() {
		RecordingJobQueue queue = new RecordingJobQueue();
		queue.enqueue("emails", new ConfirmationEmail(1));
		assertThat(queue.enqueueAll(List.of(new ConfirmationEmail(2), JobRequest.of(new ConfirmationEmail(3)))))
			.allMatch((receipt) -> receipt.accepted());
		assertThat(queue.requests()).containsExactly(JobRequest.of("emails", new ConfirmationEmail(1)),
				JobRequest.of(new ConfirmationEmail(2)), JobRequest.of(new ConfirmationEmail(3)));
	}

}
