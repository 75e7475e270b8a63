package io.jobqueue.docs;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.AsyncJob;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;

/**
 * A method whose calls are jobs.
 */
@Component
class Credits {

	@AsyncJob(value = "book-credit", queue = "credits")
	void bookCredit(long account, BigDecimal amount, List<String> reasons) {
		book(account, amount, reasons);
	}

	private final List<String> booked = new CopyOnWriteArrayList<>();

	private void book(long account, BigDecimal amount, List<String> reasons) {
		this.booked.add(account + " " + amount + " " + reasons);
	}

	List<String> booked() {
		return this.booked;
	}

	/**
	 * The caller.
	 */
	@Component
	static class Returns {

		private final Credits credits;

		private final JobQueue jobQueue;

		Returns(Credits credits, JobQueue jobQueue) {
			this.credits = credits;
			this.jobQueue = jobQueue;
		}

		@Transactional
		void accept(long account, BigDecimal amount) {
			this.credits.bookCredit(account, amount, List.of("returned"));
		}

		void acceptTomorrow(long account) {
			this.jobQueue
				.enqueue(JobRequest.of("credits", Map.of("account", account, "amount", 5, "reasons", List.of("late")))
					.type("book-credit")
					.delay(Duration.ofDays(1)));
		}

	}

}
