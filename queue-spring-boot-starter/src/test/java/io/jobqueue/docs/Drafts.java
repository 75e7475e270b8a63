package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.OnDuplicate;

/**
 * A text is checked when its author pauses.
 */
@Component
class Drafts {

	private final JobQueue jobQueue;

	private final List<String> checked = new CopyOnWriteArrayList<>();

	Drafts(JobQueue jobQueue) {
		this.jobQueue = jobQueue;
	}

	void type(long draftId, String text) {
		this.jobQueue.enqueue(JobRequest.of(new DraftChanged(draftId, text))
			.key("draft-" + draftId)
			.onDuplicate(OnDuplicate.DEBOUNCE)
			.delay(Duration.ofSeconds(1)));
	}

	@JobHandler(queue = "drafts")
	void check(DraftChanged draft) {
		this.checked.add(draft.text());
	}

	List<String> checked() {
		return this.checked;
	}

}
