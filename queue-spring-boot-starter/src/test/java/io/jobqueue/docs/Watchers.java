package io.jobqueue.docs;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import io.jobqueue.JobAlert;
import io.jobqueue.JobAlertRaised;
import io.jobqueue.JobDied;
import io.jobqueue.JobEnqueued;
import io.jobqueue.JobInfo;

/**
 * Listens.
 */
@Component
class Watchers {

	private final Pager pager = new Pager();

	private final Feed feed = new Feed();

	@EventListener
	void on(JobDied event) {
		Throwable why = event.exception();
		this.pager.alert(event.job(), (why != null) ? why.toString() : "see last_error");
	}

	@EventListener(condition = "#event.job.queue == 'bookings'")
	void on(JobEnqueued event) {
		this.feed.announce(event.job().id());
	}

	@EventListener
	void on(JobAlertRaised event) {
		this.pager.alert(event.alert());
	}

	List<String> alerts() {
		return this.pager.alerts;
	}

	List<UUID> announced() {
		return this.feed.announced;
	}

	/**
	 * Collects the alerts of the person on call.
	 */
	private static final class Pager {

		private final List<String> alerts = new CopyOnWriteArrayList<>();

		void alert(JobInfo job, String why) {
			this.alerts.add(job.type() + ": " + why);
		}

		void alert(JobAlert alert) {
			this.alerts.add(alert.queue() + ": " + alert.metric());
		}

	}

	/**
	 * Collects what a screen shows.
	 */
	private static final class Feed {

		private final List<UUID> announced = new CopyOnWriteArrayList<>();

		void announce(UUID job) {
			this.announced.add(job);
		}

	}

}
