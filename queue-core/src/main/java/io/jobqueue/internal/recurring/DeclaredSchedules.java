package io.jobqueue.internal.recurring;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRejectedException;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.RecurringStore.SavedSchedule;
import io.jobqueue.internal.store.RecurringStore.StoredSchedule;
import io.jobqueue.internal.store.RecurringStore.StoredSchedules;

/**
 * The schedules that annotations and settings of this application declare. They are
 * checked after the singletons are created, and stored when a worker starts.
 */
public final class DeclaredSchedules implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(DeclaredSchedules.class);

	private final Supplier<List<Declaration>> source;

	private final ScheduleReader reader;

	private final RecurringStore store;

	private final TransactionTemplate transaction;

	private final @Nullable String application;

	private final Set<String> locked = ConcurrentHashMap.newKeySet();

	private volatile Map<String, ScheduleDefinition> definitions = Map.of();

	/**
	 * Create the schedules.
	 * @param source returns the declarations, called once
	 * @param reader checks the schedules
	 * @param store stores them
	 * @param transactionManager the manager of the queue's transactions
	 * @param application the name of this application, {@code null} if it has none
	 */
	public DeclaredSchedules(Supplier<List<Declaration>> source, ScheduleReader reader, RecurringStore store,
			PlatformTransactionManager transactionManager, @Nullable String application) {
		this.source = source;
		this.reader = reader;
		this.store = store;
		this.transaction = new TransactionTemplate(transactionManager);
		this.application = application;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, Declaration> byName = new LinkedHashMap<>();
		Map<String, ScheduleDefinition> read = new LinkedHashMap<>();
		for (Declaration declaration : this.source.get()) {
			String name = declaration.request().name();
			Declaration other = byName.put(name, declaration);
			if (other != null) {
				throw new InvalidConfigurationException("The schedule '%s' is declared twice: by %s and by %s."
					.formatted(name, other.description(), declaration.description()), "Give one of them another name.");
			}
			read.put(name, read(declaration));
		}
		this.definitions = Map.copyOf(read);
	}

	private ScheduleDefinition read(Declaration declaration) {
		try {
			return this.reader.read(declaration.request());
		}
		catch (JobRejectedException ex) {
			throw new InvalidConfigurationException(
					"The schedule '%s', declared by %s, is invalid: its '%s' %s."
						.formatted(declaration.request().name(), declaration.description(), ex.property(), ex.reason()),
					"Correct its declaration.", ex);
		}
	}

	/**
	 * Return the names of the schedules.
	 * @return the names
	 */
	public Set<String> names() {
		return this.definitions.keySet();
	}

	/**
	 * Store schedules, each in a transaction of its own, until another transaction keeps
	 * one locked for 500 ms. Those that are stored as they are declared are neither
	 * locked nor written. One that the database rejects because of its stored row is left
	 * as it is, with an ERROR.
	 * @param names their names
	 * @return the names of those that are not stored yet, the locked one last
	 */
	List<String> store(Collection<String> names) {
		Deque<String> left = new ArrayDeque<>(changed(names));
		List<String> stored = new ArrayList<>();
		try {
			for (; !left.isEmpty(); left.remove()) {
				if (isStored(left.element())) {
					stored.add(left.element());
				}
			}
		}
		catch (PessimisticLockingFailureException ex) {
			String name = left.remove();
			left.add(name);
			warnOfLock(name);
		}
		finally {
			logStored(stored);
		}
		return List.copyOf(left);
	}

	private List<String> changed(Collection<String> names) {
		StoredSchedules stored = names.isEmpty() ? new StoredSchedules(Map.of(), Instant.EPOCH)
				: this.store.read(names);
		return names.stream().filter((name) -> isChanged(saved(definition(name), stored), stored)).sorted().toList();
	}

	private ScheduleDefinition definition(String name) {
		return Objects.requireNonNull(this.definitions.get(name));
	}

	private static SavedSchedule saved(ScheduleDefinition definition, StoredSchedules stored) {
		return definition.saved(stored.schedules().get(definition.name()), true, stored.at());
	}

	private static boolean isChanged(SavedSchedule schedule, StoredSchedules stored) {
		StoredSchedule existing = stored.schedules().get(schedule.name());
		return existing == null || !existing.saved().equals(schedule);
	}

	private boolean isStored(String name) {
		try {
			store(definition(name));
			return true;
		}
		catch (DataIntegrityViolationException ex) {
			logger.error(
					"Schedule {} keeps its stored definition, which differs from that of this application, as its row is invalid: {}. Correct or delete the row, and start the application again",
					name, FailureText.of(ex));
			return false;
		}
	}

	private void store(ScheduleDefinition definition) {
		this.transaction.executeWithoutResult((status) -> {
			if (status.isNewTransaction()) {
				this.store.limitWaits();
			}
			boolean saved;
			do {
				saved = store(definition, this.store.lock(List.of(definition.name())));
			}
			while (!saved);
		});
	}

	/**
	 * @return {@code false} if another transaction has added the schedule at the same
	 * time
	 */
	private boolean store(ScheduleDefinition definition, StoredSchedules locked) {
		SavedSchedule schedule = saved(definition, locked);
		if (!isChanged(schedule, locked)) {
			return true;
		}
		StoredSchedule existing = locked.schedules().get(definition.name());
		if (existing != null) {
			warnOfOther(existing);
		}
		definition.warnIfSetBack(existing, schedule);
		return this.store.save(List.of(schedule), locked, this.application);
	}

	/**
	 * A deployment of the same application replaces its own definitions.
	 */
	private void warnOfOther(StoredSchedule existing) {
		if (!existing.saved().declared()) {
			logger.warn("Schedule {} was saved at run time; this application declares it from now on",
					existing.saved().name());
		}
		else if (existing.application() != null && this.application != null
				&& !existing.application().equals(this.application)) {
			logger.warn(
					"Schedule {} is declared by the applications '{}' and '{}', with different definitions: the one that starts last replaces that of the other. Give one of them another name",
					existing.saved().name(), existing.application(), this.application);
		}
	}

	private void warnOfLock(String name) {
		if (this.locked.add(name)) {
			logger.warn(
					"Another transaction has locked the schedule {}, which this application declares; its declaration is stored when that transaction has ended",
					name);
		}
	}

	private void logStored(List<String> names) {
		if (!names.isEmpty()) {
			this.locked.removeAll(Set.copyOf(names));
			logger.info("Stored the schedules {}", names);
		}
	}

	/**
	 * A declared schedule.
	 *
	 * @param request the schedule
	 * @param description where it is declared, for messages
	 */
	public record Declaration(RecurringJobRequest request, String description) {
	}

}
