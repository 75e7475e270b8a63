package io.jobqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import org.springframework.beans.factory.ObjectProvider;

import io.jobqueue.internal.boot.settings.NodeSettings;
import io.jobqueue.internal.dependency.DependencyResolver;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.maintenance.Reaper;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.recurring.RecurringTicker;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.PostgresWorkerStore;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.test.StoredJobs.StoredJob;

/**
 * Does the work of {@link TestJobs}, which creates it at its first call.
 */
final class TestJobsDelegate {

	private final JobTypes types;

	private final PayloadCodecs codecs;

	private final TestDataSource dataSource;

	private final StoredJobs stored;

	private final Purge purge;

	private final Reaper reaper;

	private final TestTime time;

	private final TestSchedules schedules;

	private final boolean recurring;

	private final JobRuns runs;

	private final ObjectProvider<InlineRuns> inline;

	private final TestPauses pauses;

	private final JobHandlers handlers;

	private final SubscriptionStore subscriptions;

	/**
	 * Workers are registered on the pool, so that they are part of the test's
	 * transaction.
	 */
	TestJobsDelegate(WorkerServices services, NodeSettings settings, PostgresStores stores, JobTypes types,
			PayloadCodecs codecs, RecurringTicker ticker, TestTime time, DependencyResolver dependencies,
			ObjectProvider<InlineRuns> inline, TestJobsProperties options, TestPauses pauses) {
		this.types = types;
		this.codecs = codecs;
		this.inline = inline;
		this.pauses = pauses;
		this.handlers = services.handlers();
		this.subscriptions = stores.subscriptions();
		this.dataSource = (TestDataSource) stores.dataSource();
		this.stored = new StoredJobs(this.dataSource, stores.schema());
		this.purge = new Purge(stores.maintenance());
		this.time = time;
		this.schedules = new TestSchedules(ticker, stores.recurring(), this.stored, time);
		this.recurring = options.recurring();
		WorkerStore workers = new PostgresWorkerStore(new DedicatedConnection(null, this.dataSource), stores.schema());
		this.reaper = new Reaper(stores.maintenance(), services.signals(), (reaped) -> {
		}, services.events(), dependencies, settings.queues()::keepCancelled);
		this.runs = new JobRuns(services, workers, settings, options.limits(), this.dataSource, this.stored,
				new WaitReasons(this.dataSource, stores.schema(), services.handlers(),
						(queue) -> options.limits() && !settings.queues().settings(queue).limits().isNone()),
				this::enqueued, this.reaper, dependencies, time);
	}

	JobRuns runs() {
		return this.runs;
	}

	/**
	 * Other contexts have left subscriptions, or have deleted those of this one. The
	 * connection of the test may be the only one of the pool. A pause ends on another
	 * one, as it must not come back with the rollback of the test.
	 */
	void deleteAll() {
		this.stored.deleteAll();
		Object unused = join(() -> {
			this.subscriptions.declare(this.handlers.subscriptions());
			return true;
		});
		this.pauses.end(join(this.pauses::all));
	}

	String type(Class<?> payload) {
		return this.types.name(payload, null);
	}

	List<EnqueuedJob> enqueued() {
		return this.stored.all().stream().map(this::enqueued).toList();
	}

	private EnqueuedJob enqueued(StoredJob job) {
		return EnqueuedJob.of(job.queue(), job.type(), job.payload(), this.codecs.of(job.queue()), job.delay(),
				job.state());
	}

	/**
	 * Move the time, with all schedules if they take part, cancel the jobs that have
	 * expired, and delete what is kept no longer.
	 */
	void advance(Duration by) {
		move(() -> {
			if (this.recurring) {
				this.schedules.advance(by);
			}
			else {
				this.time.advance(by);
			}
		});
	}

	void tick(String schedule) {
		move(() -> this.schedules.tick(schedule));
	}

	private void move(Runnable work) {
		Object unused = join(() -> {
			work.run();
			this.reaper.cancelUnclaimed();
			return this.purge.runOnce();
		});
		this.inline.ifAvailable(InlineRuns::runDue);
	}

	private <T> T join(Callable<T> work) {
		try {
			return this.dataSource.join(work);
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
