package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRejectedException;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.internal.operations.AuditLog;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.operations.CurrentUser;
import io.jobqueue.internal.outbox.CallerTransaction;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.Notice.TickDue;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.DueSchedule;
import io.jobqueue.internal.store.RecurringStore.SavedSchedule;
import io.jobqueue.internal.store.RecurringStore.Scan;
import io.jobqueue.internal.store.RecurringStore.StoredSchedule;
import io.jobqueue.internal.store.RecurringStore.StoredSchedules;
import io.jobqueue.internal.store.RecurringStore.Tick;
import io.jobqueue.internal.store.RecurringStore.TickedJob;
import io.jobqueue.internal.store.StorableText;

/**
 * The operations on schedules.
 */
public final class DefaultRecurringJobs implements RecurringJobs {

	private final RecurringStore store;

	private final ScheduleReader reader;

	private final DeclaredSchedules declared;

	private final CallerTransaction caller;

	private final OutsideTransaction outside;

	private final TransactionTemplate own;

	private final TickWriter writer;

	private final JobSignals signals;

	private final BiConsumer<String, String> saved;

	private final AuditLog log;

	/**
	 * Create the operations.
	 * @param store the store of schedules
	 * @param reader checks requested schedules
	 * @param declared the schedules that this application declares
	 * @param caller the caller's transaction
	 * @param transactionManager the manager of the callers' transactions
	 * @param writer writes the ticks that callers trigger
	 * @param signals publishes notices
	 * @param saved called with the queue and the type of each schedule that is saved
	 * @param user returns the user to log with an operation
	 */
	public DefaultRecurringJobs(RecurringStore store, ScheduleReader reader, DeclaredSchedules declared,
			CallerTransaction caller, PlatformTransactionManager transactionManager, TickWriter writer,
			JobSignals signals, BiConsumer<String, String> saved, CurrentUser user) {
		this.store = store;
		this.reader = reader;
		this.declared = declared;
		this.caller = caller;
		this.outside = new OutsideTransaction(transactionManager);
		this.own = new TransactionTemplate(transactionManager);
		this.writer = writer;
		this.signals = signals;
		this.saved = saved;
		this.log = new AuditLog(user);
	}

	private DefaultRecurringJobs(DefaultRecurringJobs other, AuditLog log) {
		this.store = other.store;
		this.reader = other.reader;
		this.declared = other.declared;
		this.caller = other.caller;
		this.outside = other.outside;
		this.own = other.own;
		this.writer = other.writer;
		this.signals = other.signals;
		this.saved = other.saved;
		this.log = log;
	}

	@Override
	public RecurringJobs because(String reason) {
		return new DefaultRecurringJobs(this, this.log.because(reason));
	}

	@Override
	public RecurringJobInfo save(RecurringJobRequest job) {
		ScheduleDefinition definition = this.reader.read(Objects.requireNonNull(job, "'job' must not be null"));
		AtomicBoolean written = new AtomicBoolean();
		return this.caller.callAround(() -> save(definition, written), written::get);
	}

	private RecurringJobInfo save(ScheduleDefinition definition, AtomicBoolean written) {
		LoggedOperation operation = operation("save", definition.name());
		StoredSchedules locked;
		SavedSchedule schedule;
		do {
			locked = this.store.lock(List.of(definition.name()));
			schedule = schedule(definition, locked);
			written.set(true);
		}
		while (!this.store.save(schedule, locked, operation));
		this.caller.afterCommit(saved(schedule, locked.at(), operation));
		this.saved.accept(schedule.job().queue(), schedule.job().type());
		return this.store.findInTransaction(schedule.name());
	}

	private SavedSchedule schedule(ScheduleDefinition definition, StoredSchedules locked) {
		StoredSchedule existing = locked.schedules().get(definition.name());
		if (isDeclaredHere(definition.name()) || (existing != null && existing.saved().declared())) {
			throw new JobRejectedException("name",
					"'%s' is that of a schedule which an annotation or a setting declares: use another name, or delete the schedule if nothing declares it any more"
						.formatted(definition.name()));
		}
		SavedSchedule schedule = definition.saved(existing, false, locked.at());
		definition.warnIfSetBack(existing, schedule);
		return schedule;
	}

	private Runnable saved(SavedSchedule schedule, Instant now, LoggedOperation operation) {
		long since = System.nanoTime();
		return () -> {
			if (schedule.nextAt() != null) {
				Duration untilCommit = Duration.ofNanos(System.nanoTime() - since);
				this.signals.publish(new TickDue(Duration.between(now, schedule.nextAt()).minus(untilCommit)));
			}
			this.log.done(operation);
		};
	}

	private boolean isDeclaredHere(String name) {
		return this.declared.names().contains(name);
	}

	private LoggedOperation operation(String operation, String schedule) {
		return this.log.operation(Operation.of(operation), "schedule " + schedule);
	}

	@Override
	public Optional<RecurringJobInfo> find(String name) {
		requireName(name);
		return this.outside.call(() -> Optional.ofNullable(this.store.find(name)));
	}

	@Override
	public RecurringJobPage list(RecurringJobQuery query) {
		Objects.requireNonNull(query, "'query' must not be null");
		query.namePrefix().ifPresent((prefix) -> StorableText.require("prefix", prefix));
		query.after().ifPresent((position) -> StorableText.require("position", position));
		return this.outside.call(() -> this.store.list(query));
	}

	@Override
	public JobReceipt trigger(String name) {
		requireName(name);
		LoggedOperation trigger = operation("trigger", name);
		JobReceipt receipt = this.outside.call(() -> enqueue(name, trigger));
		this.log.done(trigger);
		return receipt;
	}

	/**
	 * The job is that of one version of the schedule, which may change or be deleted
	 * after it was read. A version that stays is locked.
	 */
	private JobReceipt enqueue(String name, LoggedOperation operation) {
		Long tried = null;
		for (Scan found = this.store.read(name); !found.due().isEmpty(); found = this.store.read(name)) {
			DueSchedule schedule = found.due().get(0);
			if (Objects.equals(tried, schedule.version())) {
				throw locked(name);
			}
			TickedJob job = this.writer.job(schedule, found.at(), found.at());
			Tick tick = new Tick(name, schedule.version(), schedule.dueAt(), 0, 0, List.of(job));
			if (!this.writer.write(Map.of(schedule, tick), operation).names().isEmpty()) {
				return new JobReceipt(job.id(), Outcome.ADDED);
			}
			tried = schedule.version();
		}
		throw unknown(name);
	}

	@Override
	public void pause(String name) {
		change("pause", name, (locked, now) -> {
			if (!locked.paused()) {
				this.store.pause(name);
			}
			return null;
		});
	}

	@Override
	public void resume(String name) {
		change("resume", name, (locked, now) -> locked.paused() ? resume(locked.saved(), now) : null);
	}

	private @Nullable Instant resume(SavedSchedule schedule, Instant now) {
		Instant next = Recurrence.of(schedule.timing(), schedule.anchorAt()).next(now);
		this.store.resume(schedule.name(), next);
		return next;
	}

	/**
	 * @param change returns the next tick if it has changed
	 */
	private void change(String operation, String name, BiFunction<StoredSchedule, Instant, @Nullable Instant> change) {
		requireName(name);
		LoggedOperation logged = operation(operation, name);
		Optional<Duration> next = this.outside.call(() -> lockAndChange(logged, name, change));
		next.ifPresent((in) -> this.signals.publish(new TickDue(in)));
		this.log.done(logged);
	}

	/**
	 * The lock may be held by the caller's own transaction, which would wait for itself.
	 */
	private Optional<Duration> lockAndChange(LoggedOperation operation, String name,
			BiFunction<StoredSchedule, Instant, @Nullable Instant> change) {
		try {
			return Objects.requireNonNull(this.own.execute((status) -> {
				this.store.limitWaits();
				StoredSchedules locked = this.store.lock(List.of(name));
				StoredSchedule schedule = locked.schedules().get(name);
				if (schedule == null) {
					throw unknown(name);
				}
				this.store.log(operation);
				return Optional.ofNullable(change.apply(schedule, locked.at()))
					.map((nextAt) -> Duration.between(locked.at(), nextAt));
			}));
		}
		catch (PessimisticLockingFailureException ex) {
			throw locked(name);
		}
	}

	@Override
	public boolean delete(String name) {
		requireName(name);
		if (isDeclaredHere(name)) {
			throw new JobOperationException(null, Reason.DECLARED,
					"The schedule '%s' is declared by an annotation or a setting of this application: remove the declaration, or pause the schedule"
						.formatted(name));
		}
		return TransactionSynchronizationManager.isActualTransactionActive() ? deleteInTransaction(name)
				: deleteAlone(name);
	}

	/**
	 * How long a caller's transaction waits for a lock is up to the caller.
	 */
	private boolean deleteInTransaction(String name) {
		AtomicBoolean deleted = new AtomicBoolean();
		return this.caller.callAround(() -> delete(name, deleted), deleted::get);
	}

	private boolean deleteAlone(String name) {
		try {
			return Boolean.TRUE.equals(this.own.execute((status) -> {
				this.store.limitWaits();
				return deleteInTransaction(name);
			}));
		}
		catch (PessimisticLockingFailureException ex) {
			throw locked(name);
		}
	}

	private boolean delete(String name, AtomicBoolean deleted) {
		LoggedOperation operation = operation("delete", name);
		deleted.set(this.store.delete(name, operation));
		if (deleted.get()) {
			this.caller.afterCommit(() -> this.log.done(operation));
		}
		return deleted.get();
	}

	private static void requireName(@Nullable String name) {
		StorableText.require("name", name);
	}

	private static JobOperationException locked(String name) {
		return new JobOperationException(null, Reason.BLOCKED,
				"The schedule '%s', its table or the operator log is locked by another transaction; nothing was changed, try again"
					.formatted(name));
	}

	private static JobOperationException unknown(String name) {
		return new JobOperationException(null, Reason.UNKNOWN, "There is no schedule '%s'".formatted(name));
	}

}
