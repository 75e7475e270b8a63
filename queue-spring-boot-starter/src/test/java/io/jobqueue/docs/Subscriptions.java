package io.jobqueue.docs;

import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

import io.jobqueue.JobHandler;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;

/**
 * A schedule per tenant.
 */
@Component
class Subscriptions {

	private final JdbcClient jdbc;

	private final RecurringJobs recurringJobs;

	private final Set<Long> digested = ConcurrentHashMap.newKeySet();

	Subscriptions(JdbcClient jdbc, RecurringJobs recurringJobs) {
		this.jdbc = jdbc;
		this.recurringJobs = recurringJobs;
	}

	@Transactional
	void subscribe(long tenantId, ZoneId zone) {
		this.jdbc.sql("INSERT INTO tenant (id) VALUES (?)").param(tenantId).update();
		this.recurringJobs.save(RecurringJobRequest.of("digest-" + tenantId, new Digest(tenantId))
			.cron("0 0 7 * * MON-FRI")
			.zone(zone));
	}

	@Transactional
	void unsubscribe(long tenantId) {
		this.jdbc.sql("DELETE FROM tenant WHERE id = ?").param(tenantId).update();
		this.recurringJobs.delete("digest-" + tenantId);
	}

	@JobHandler(queue = "emails")
	void handle(Digest digest) {
		this.digested.add(digest.tenantId());
	}

	void printSkipped() {
		RecurringJobQuery query = RecurringJobQuery.all().namePrefix("digest-").limit(1000);
		RecurringJobPage page = this.recurringJobs.list(query);
		page.jobs().forEach(this::print);
		while (page.next() != null) {
			page = this.recurringJobs.list(query.after(page.next()));
			page.jobs().forEach(this::print);
		}
	}

	private void print(RecurringJobInfo schedule) {
		System.out.println(schedule.name() + " " + schedule.nextAt() + " " + schedule.skipped());
	}

	Set<Long> digested() {
		return this.digested;
	}

}
