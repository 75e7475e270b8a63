package io.jobqueue.internal.dashboard.browser;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Batch;
import io.jobqueue.JobOperations;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.Workflows;
import io.jobqueue.internal.dashboard.DashboardApplication;

/**
 * Fills the tables with what each page can show: jobs of each state, problems of each
 * kind, and names, texts and numbers that are long.
 */
final class BusyApplication {

	/**
	 * A dead job with a family.
	 */
	static final UUID DEAD_JOB = new UUID(7, 1);

	private final JdbcClient sql;

	private final JobQueue queue = DashboardApplication.bean(JobQueue.class);

	BusyApplication(JdbcClient sql) {
		this.sql = sql;
	}

	/**
	 * Fill the tables.
	 * @return the id of a batch
	 */
	UUID fill() {
		enqueueFamily();
		insertRetrying();
		insertDead();
		insertWorkers();
		insertStatistics();
		saveSchedules();
		operate();
		startWorkflows();
		return startBatches();
	}

	private static JobRequest mail(String queue) {
		return JobRequest.of(queue, Map.of("to", "Ada")).type("confirmation-email");
	}

	private void enqueueFamily() {
		UUID first = this.queue.enqueue(mail("emails").header("tenant", "acme").key("signup-42")).id();
		this.queue.enqueue(mail("invoices").after(first));
		for (String name : List.of("invoices", "reports")) {
			this.queue.enqueue(mail(name));
		}
		UUID odd = this.queue.enqueue(mail("reports")).id();
		this.sql.sql("UPDATE jobqueue_job SET queue = repeat('q', 180) WHERE id = ?").param(odd).update();
	}

	private void insertRetrying() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, failures, queue, type, payload, last_error, parent_id, root_id,
					                          headers, history)
					SELECT gen_random_uuid(), now() + interval '1 hour', now(), 10, 1, 'emails', 'confirmation-email', '{}',
					       'java.net.SocketTimeoutException: ' || repeat('x', 300), :parent, :parent,
					       json_build_object(repeat('h', 100), repeat('v', 100)),
					       '[{"attempt": 1, "ended": "2026-11-28T04:00:00Z", "worker": "w", "outcome": "retried",
					          "fingerprint": "java.net.SocketTimeoutException at com.acme.mail.delivery.SmtpConnectionFactory.openConnection"}]'
					FROM generate_series(1, 3)
					""")
			.param("parent", DEAD_JOB)
			.update();
	}

	private void insertDead() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, started_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload, last_error, history)
					SELECT CASE n WHEN 1 THEN :id ELSE gen_random_uuid() END, n, now(), now() - interval '1 hour', now() - interval '1 hour',
					       now(), 25, 25, 10, 'DEAD', 'emails', 'confirmation-email', '{"to": "' || repeat('Ada', 100) || '"}',
					       E'java.net.ConnectException: Connection refused\\n\\tat com.acme.Smtp.send(Smtp.java:' || repeat('1', 200) || ')',
					       '[{"attempt": 25, "began": "2026-11-28T03:59:58Z", "ended": "2026-11-28T04:00:00Z", "worker": "w", "outcome": "dead",
					          "error": "java.net.ConnectException: Connection refused",
					          "fingerprint": "java.net.ConnectException at com.acme.Smtp.send"}]'
					FROM generate_series(1, 5) n
					""")
			.param("id", DEAD_JOB)
			.update();
	}

	/**
	 * A worker with a claim that has expired, and a dead one with long names and limits.
	 */
	private void insertWorkers() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues, limits,
					                             application)
					SELECT gen_random_uuid(), now() - n * interval '1 hour', now() - interval '2 hours', 60000, gen_random_uuid(), false,
					       repeat('host', 1 + n * 50) || ':1', 'emails,invoices,' || repeat('q', 1 + n * 300), repeat('limit ', n * 50), 'shop'
					FROM generate_series(0, 1) n;
					UPDATE jobqueue_job SET locked_by = w.id, claim = 1, lease_until = now() - interval '1 second'
					FROM jobqueue_worker w WHERE w.limits = '' AND queue = 'emails' AND failures = 0;
					INSERT INTO jobqueue_claim (worker_id, claim, expires_at, max_attempts, queue, job_ids, claimed_at)
					SELECT locked_by, claim, now(), 25, queue, ARRAY[id], now() - interval '31 minutes' FROM jobqueue_job
					WHERE locked_by IS NOT NULL
					""")
			.update();
	}

	/**
	 * An hour that was late and failed for some minutes.
	 */
	private void insertStatistics() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled,
					    age_millis, run_times)
					SELECT now() - t * interval '1 minute', 1, gen_random_uuid(), 'emails', 10, 300 + 200 * sin(t / 17.0),
					       CASE WHEN t BETWEEN 20 AND 30 THEN 30 - abs(t - 25) ELSE t % 3 END, CASE WHEN t BETWEEN 22 AND 26 THEN 3 ELSE 0 END,
					       0, CASE WHEN t BETWEEN 0 AND 12 THEN (13 - t) * 40000 END, array_fill(0, ARRAY[18]) || ARRAY[50, 200, t % 7, 30, 5, 2]
					FROM generate_series(0, 60) t
					""")
			.update();
	}

	private static RecurringJobRequest schedule(String name) {
		return RecurringJobRequest.of(name, mail("emails"));
	}

	private void saveSchedules() {
		RecurringJobs schedules = DashboardApplication.bean(RecurringJobs.class);
		schedules.save(schedule("digest-weekdays").cron("0 0 7 * * MON-FRI").zone(ZoneId.of("Europe/Berlin")));
		schedules.save(schedule("billing.monthly-invoices").cron("0 30 6 1 * *"));
		schedules.save(schedule("nearest-weekday").cron("0 0 12 15W * *"));
		schedules.save(schedule("heartbeat").fixedRate(Duration.ofMinutes(5)));
		schedules.trigger("heartbeat");
		schedules.trigger("digest-weekdays");
		schedules.pause("billing.monthly-invoices");
		this.sql
			.sql("""
					UPDATE jobqueue_recurring SET next_at = now() - interval '9 minutes', skipped = 1234, missed = 3 WHERE name = 'heartbeat';
					UPDATE jobqueue_recurring SET declared = true WHERE name LIKE 'digest%'
					""")
			.update();
	}

	private void operate() {
		JobOperations operations = DashboardApplication.bean(JobOperations.class);
		operations.because("the bank is down until 14:00").pause("invoices");
		operations.because("see https://incidents.example.org/" + "x".repeat(150)).pause("emails", "x".repeat(150));
		operations.because("y".repeat(300))
			.reprioritise(this.queue.enqueue(mail("reports")).id(), Priority.INTERACTIVE);
	}

	/**
	 * An instance in each state, and one of a workflow with a long name. A step of the
	 * running one waits for its second attempt.
	 */
	private void startWorkflows() {
		Workflows workflows = DashboardApplication.bean(Workflows.class);
		List<String> states = List.of("RUNNING", "SUCCEEDED", "CANCELLED", "FAILED", "RUNNING");
		List<UUID> instances = states.stream().map((state) -> workflows.start("fulfilment", state).id()).toList();
		for (int number = 0; number < states.size(); number++) {
			progress(instances.get(number), states.get(number));
		}
		this.sql.sql("DELETE FROM jobqueue_job WHERE type = 'Pay'").update();
		this.sql.sql("UPDATE jobqueue_workflow SET name = repeat('w', 100) WHERE id = ?")
			.param(instances.get(4))
			.update();
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload, failures, last_error)
					SELECT s.job_id, now() + interval '1 hour', now(), 10, s.queue, s.type, '{}', 1, 'java.net.ConnectException: refused'
					FROM jobqueue_workflow_step s WHERE s.workflow_id = ? AND s.name = 'tell'
					""")
			.param(instances.get(0))
			.update();
	}

	private void progress(UUID workflow, String state) {
		this.sql
			.sql("""
					UPDATE jobqueue_workflow SET state = :state, finished_at = CASE WHEN :state <> 'RUNNING' THEN now() END WHERE id = :id;
					UPDATE jobqueue_workflow_step s SET state = n.state, branch = n.branch, result = n.result
					FROM (VALUES ('pay', 'SUCCEEDED', 'in-stock', '{"reference":"p-7","text":"' || repeat('Ada ', 300) || '"}'),
					             ('ship', CASE WHEN :state IN ('FAILED', 'CANCELLED') THEN :state ELSE 'SUCCEEDED' END, NULL, NULL),
					             ('pickUp', 'SKIPPED', NULL, NULL),
					             ('tell', CASE :state WHEN 'RUNNING' THEN 'STARTED' WHEN 'SUCCEEDED' THEN 'SUCCEEDED' ELSE 'SKIPPED' END, NULL, NULL),
					             ('refund', CASE WHEN :state = 'FAILED' THEN 'SUCCEEDED' ELSE 'SKIPPED' END, NULL, NULL),
					             ('askForReview', CASE :state WHEN 'RUNNING' THEN 'WAITING' WHEN 'SUCCEEDED' THEN 'SUCCEEDED' ELSE 'SKIPPED' END, NULL, NULL))
					     AS n (name, state, branch, result)
					WHERE s.workflow_id = :id AND s.name = n.name
					""")
			.param("state", state)
			.param("id", workflow)
			.update();
	}

	private UUID startBatches() {
		change(start("newsletter", 1), "sealed_at = now(), finished_at = now(), total = 4000, succeeded = 4000");
		change(start("import", 1),
				"sealed_at = now(), finished_at = now(), total = 12500, succeeded = 12411, dead = 89");
		start("uploads", 12);
		UUID running = start("invoices of November", 100);
		change(running, "sealed_at = now()");
		this.sql.sql("UPDATE jobqueue_batch_tally SET succeeded = 61, dead = 8, cancelled = 4 WHERE batch_id = ?")
			.param(running)
			.update();
		return running;
	}

	private UUID start(String name, int members) {
		Batch batch = this.queue.batch(name).then(mail("reports")).onFailure(mail("reports")).start();
		batch.add(Collections.nCopies(members, mail("reports")));
		return batch.id();
	}

	private void change(UUID batch, String change) {
		this.sql.sql("UPDATE jobqueue_batch SET %s WHERE id = ?".formatted(change)).param(batch).update();
	}

}
