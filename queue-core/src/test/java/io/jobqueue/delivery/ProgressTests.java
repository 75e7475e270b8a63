package io.jobqueue.delivery;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobDetails;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.JobStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people see of a job's progress.
 */
class ProgressTests extends NodeTestBase {

	private final AtomicInteger writes = new AtomicInteger();

	private CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void blockHandlers() {
		this.writes.set(0);
		this.release = new CountDownLatch(1);
	}

	@AfterEach
	void releaseHandlers() {
		this.release.countDown();
	}

	@Test
	void lastReportIsWrittenWhileTheJobRunsAndOnlyThat() {
		UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			for (int percent = 0; percent <= 70; percent++) {
				context.progress(percent, "page " + percent);
			}
			this.release.await();
			return JobResult.success();
		}));
		awaitProgress(job, 70, "page 70");
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
		assertThat(this.writes).hasValueBetween(1, 2);
	}

	/**
	 * A report outside the handler's transaction is seen although that is not committed.
	 */
	@Test
	void transactionalHandlerReportsToo() {
		UUID job = enqueue(countingNode(Delivery.TRANSACTIONAL, (context) -> {
			context.progress(100, "");
			this.release.await();
			return JobResult.success();
		}));
		awaitProgress(job, 100, "");
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void messageIsCutAndCleaned() {
		UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			context.progress(1, "\0" + "x".repeat(2_000));
			this.release.await();
			return JobResult.success();
		}));
		awaitProgress(job, 1, "\uFFFD" + "x".repeat(999));
	}

	@Test
	void messageMayBeMissing() {
		UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			context.progress(40, null);
			this.release.await();
			return JobResult.success();
		}));
		awaitProgress(job, 40, "");
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@Test
	void handlersWithoutProgressWriteNothing() {
		UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> JobResult.success()));
		awaitState(job, "SUCCEEDED");
		assertThat(this.writes).hasValue(0);
	}

	@Test
	@Tag("slow") // waits for a retry
	void failureToWriteIsLoggedAndTriedAgain() {
		try (CapturedLog log = new CapturedLog()) {
			this.sql.sql("ALTER TABLE jobqueue_job ADD CONSTRAINT refused CHECK (progress_percent <> 5)").update();
			UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
				context.progress(5, "refused at first");
				this.release.await();
				return JobResult.success();
			}));
			await().until(() -> !log.messages("Recording job progress").isEmpty());
			this.sql.sql("ALTER TABLE jobqueue_job DROP CONSTRAINT refused").update();
			awaitProgress(job, 5, "refused at first");
			this.release.countDown();
			awaitState(job, "SUCCEEDED");
		}
	}

	@Test
	@Tag("slow") // waits for a second report
	void workerThatHasLostItsClaimReportsNothing() {
		QueueNode node = countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			this.sql.sql("UPDATE jobqueue_job SET claim = claim + 1").update();
			context.progress(50, "half");
			this.release.await();
			return JobResult.success();
		});
		UUID job = enqueue(node);
		await().until(() -> this.writes.get() > 1);
		assertThat(count("jobqueue_job WHERE progress_percent IS NOT NULL")).isZero();
		assertThat(state(job)).isEqualTo("RUNNING");
	}

	@ParameterizedTest
	@CsvSource({ "-1, 0", "-2147483648, 0", "101, 100", "2147483647, 100" })
	void numberOutOfRangeCountsAsTheNearestOne(int reported, int shown) {
		UUID job = enqueue(countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			context.progress(reported, "rounded");
			this.release.await();
			return JobResult.success();
		}));
		awaitProgress(job, shown, "rounded");
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isOne();
	}

	@Test
	void lastReportStaysInTheArchive() {
		QueueNode node = reportingOnce(JobResult.success());
		UUID job = enqueue(node);
		awaitProgress(job, 70, "page 70");
		this.release.countDown();
		awaitState(job, "SUCCEEDED");
		awaitProgress(job, 70, "page 70");
		assertThat(node.operations().find(job)).get()
			.extracting((found) -> found.details().progress())
			.isEqualTo(new JobDetails.Progress(70, "page 70"));
	}

	@Test
	void retryKeepsTheLastReport() {
		QueueNode node = reportingOnce(JobResult.fail("no use"));
		UUID job = enqueue(node);
		awaitProgress(job, 70, "page 70");
		this.release.countDown();
		awaitState(job, "DEAD");
		awaitProgress(job, 70, "page 70");
		node.close();
		producer().operations().retry(job);
		assertThat(state(job)).isEqualTo("READY");
		awaitProgress(job, 70, "page 70");
	}

	@Test
	void lastReportOfATimedOutJobStays() {
		UUID job = enqueue(reportingOnce(JobResult.success()));
		awaitProgress(job, 70, "page 70");
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now() - interval '1 hour'").update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now() - interval '1 hour'").update();
		awaitState(job, "DEAD");
		awaitProgress(job, 70, "page 70");
	}

	private QueueNode reportingOnce(JobResult result) {
		return countingNode(Delivery.AT_LEAST_ONCE, (context) -> {
			context.progress(70, "page 70");
			this.release.await();
			return result;
		});
	}

	private void awaitProgress(UUID job, int percent, String message) {
		await().untilAsserted(
				() -> assertThat(column("concat(progress_percent, '% ', progress_message)", job, String.class))
					.isEqualTo(percent + "% " + message));
	}

	private QueueNode countingNode(Delivery delivery, Behaviour behaviour) {
		return started((node) -> node.maxAttempts(1).jobStore(this::counting).bean(Handlers.of(delivery, behaviour)));
	}

	private JobStore counting(JobStore store) {
		return (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] { JobStore.class },
				(proxy, method, arguments) -> {
					this.writes.addAndGet(method.getName().equals("report") ? 1 : 0);
					try {
						return method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

}
