package io.jobqueue.recurring;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRejectedException;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.store.RecurringStore;
import io.jobqueue.store.RecurringStore.LockedSchedule;
import io.jobqueue.store.RecurringStore.LockedSchedules;
import io.jobqueue.store.RecurringStore.SavedSchedule;

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

	private volatile Map<String, ScheduleDefinition> definitions = Map.of();

	/**
	 * Create the schedules.
	 * @param source returns the declarations, called once
	 * @param reader checks the schedules
	 * @param store stores them
	 * @param transactionManager the manager of the queue's transactions
	 */
	public DeclaredSchedules(Supplier<List<Declaration>> source, ScheduleReader reader, RecurringStore store,
			PlatformTransactionManager transactionManager) {
		this.source = source;
		this.reader = reader;
		this.store = store;
		this.transaction = new TransactionTemplate(transactionManager);
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
	 * Store the schedules, in one transaction. Those that are stored as they are declared
	 * are not written.
	 */
	void store() {
		if (!this.definitions.isEmpty()) {
			this.transaction.executeWithoutResult((status) -> storeUntilSaved());
		}
	}

	private void storeUntilSaved() {
		boolean saved;
		do {
			saved = store(this.definitions.values());
		}
		while (!saved);
	}

	/**
	 * @return {@code false} if another transaction has added one of the schedules at the
	 * same time
	 */
	private boolean store(Collection<ScheduleDefinition> declared) {
		LockedSchedules locked = this.store.lock(names());
		List<SavedSchedule> changed = declared.stream()
			.map((definition) -> definition.saved(locked.schedules().get(definition.name()), true, locked.at()))
			.filter((schedule) -> !Objects.equals(schedule, stored(locked, schedule.name())))
			.toList();
		if (changed.isEmpty()) {
			return true;
		}
		changed.forEach((schedule) -> warnOfTakeover(locked.schedules().get(schedule.name())));
		boolean saved = this.store.save(changed, locked);
		if (saved) {
			logger.info("Stored the schedules {}", changed.stream().map(SavedSchedule::name).sorted().toList());
		}
		return saved;
	}

	private static @Nullable SavedSchedule stored(LockedSchedules locked, String name) {
		LockedSchedule schedule = locked.schedules().get(name);
		return (schedule != null) ? schedule.saved() : null;
	}

	private static void warnOfTakeover(@Nullable LockedSchedule existing) {
		if (existing != null && !existing.saved().declared()) {
			logger.warn("Schedule {} was saved at run time; this application declares it from now on",
					existing.saved().name());
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
