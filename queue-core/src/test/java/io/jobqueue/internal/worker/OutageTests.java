package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a worker does while its database is away, and after.
 */
@Tag("slow") // outages that last
@Tag("pooler") // lost sessions
class OutageTests extends NodeTestBase {

	private TcpProxy way;

	private DataSource behind;

	@BeforeEach
	void openTheWay() {
		PGSimpleDataSource direct = (PGSimpleDataSource) this.database.dataSource();
		this.way = closeLater(new TcpProxy(direct.getServerNames()[0], direct.getPortNumbers()[0]));
		PGSimpleDataSource proxied = (PGSimpleDataSource) this.database.dataSource();
		proxied.setServerNames(new String[] { "127.0.0.1" });
		proxied.setPortNumbers(new int[] { this.way.port() });
		this.behind = proxied;
	}

	@Test
	void outcomeOfAJobThatEndedMeanwhileIsWrittenLater() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = node(settings(this.behind).handler((mail, job) -> {
			begun.countDown();
			release.await();
		})).start();
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		begun.await();
		this.way.cut();
		release.countDown();
		await().until(() -> this.way.refused() > 3);
		this.way.restore();
		awaitState(job, "SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void workerContinuesAfterAnOutage() {
		QueueNode node = node(settings(this.behind).handler((mail, job) -> {
		})).start();
		awaitState(node.queue().enqueue(new Mail("before")).id(), "SUCCEEDED");
		this.way.cut();
		UUID job = producer().queue().enqueue("emails", new Mail("meanwhile")).id();
		await().until(() -> this.way.refused() > 5);
		assertThat(state(job)).isEqualTo("READY");
		this.way.restore();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void outageCausesFewRetriesAndLogLines() {
		try (CapturedLog log = new CapturedLog()) {
			node(settings(this.behind).handler((mail, job) -> {
			})).start();
			await().until(() -> count("jobqueue_worker") == 1);
			this.way.cut();
			await().until(() -> this.way.refused() > 5 && !log.messages("Claiming jobs failed; will retry").isEmpty()
					&& !log.messages("The reaper fail").isEmpty());
			long since = System.nanoTime();
			int before = this.way.refused();
			await().until(() -> this.way.refused() > before + 10);
			assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofMillis(500));
			assertThat(log.messages("Claiming jobs failed; will retry")).hasSize(1);
			assertThat(log.messages("The heartbeat of worker node failed")).hasSizeLessThanOrEqualTo(1);
			assertThat(log.messages("The reaper fail")).hasSize(1);
			this.way.restore();
			await().until(() -> log.messages("Claiming jobs works again").size() == 1);
			await().until(() -> log.messages("The reaper works again").size() == 1);
		}
	}

	@Test
	void repeatedTerminationOfConnectionsLosesNoJob() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> {
		}));
		node.queue().enqueueAll(IntStream.range(0, 3000).mapToObj((n) -> JobRequest.of(new Mail("hi"))).toList());
		for (int finished = 100; finished < 1000; finished += 100) {
			long enough = finished;
			await().until(() -> finished() > enough);
			terminateAll();
		}
		await().until(() -> finished() == 3000);
		assertThat(directly("SELECT count(*) FROM jobqueue_jobs WHERE state <> 'SUCCEEDED'")).isZero();
	}

	/**
	 * Not through a pool, which hands out a connection that was used within 500 ms
	 * without a check, and not through a pooler, which reports the end of a connection to
	 * one of its clients.
	 */
	private JdbcClient direct() {
		return JdbcClient.create(this.database.directDataSource());
	}

	private long directly(String count) {
		return direct().sql(count).query(Long.class).single();
	}

	private long finished() {
		return directly("SELECT count(*) FROM jobqueue_archive");
	}

	/**
	 * The test's own connections stay: their pool might hand one out unchecked.
	 */
	private void terminateAll() {
		direct().sql("""
				SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> ?
				""").param(OWN).query().listOfRows();
	}

}
