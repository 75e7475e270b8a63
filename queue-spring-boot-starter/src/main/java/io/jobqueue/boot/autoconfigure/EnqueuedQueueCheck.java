package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.EditDistance;
import io.jobqueue.internal.outbox.EnqueueListener;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.WorkflowStore.NewStep;

/**
 * Warns of each queue that jobs are enqueued to although nothing knows it, of each type
 * whose schedule is saved although the handlers of its queue on this node do not take it,
 * and of each type of a step that neither these nor living workers take, once: most
 * likely the name is misspelt. Living workers and subscriptions are looked up on a thread
 * of its own, once for each name that this node does not know, so that the caller neither
 * waits nor lends its connection. After the first 1,000 names it checks no further ones.
 */
final class EnqueuedQueueCheck implements EnqueueListener, AutoCloseable {

	static final int MAX_NAMES = 1_000;

	private static final Logger logger = LoggerFactory.getLogger(EnqueuedQueueCheck.class);

	private static final long KEEP_ALIVE_SECONDS = 1;

	private final Supplier<Set<String>> known;

	private final Supplier<? extends Collection<String>> served;

	private final Function<String, Set<String>> types;

	private final Set<String> checked = ConcurrentHashMap.newKeySet();

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor lookups;

	/**
	 * Create a check.
	 * @param known the names that this node knows
	 * @param served looks up the queues that living workers serve, and those of
	 * subscriptions, whose subscribers may be down
	 * @param types looks up the types of a queue that living workers take
	 */
	EnqueuedQueueCheck(Supplier<Set<String>> known, Supplier<? extends Collection<String>> served,
			Function<String, Set<String>> types) {
		this.known = known;
		this.served = served;
		this.types = types;
		this.lookups = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MAX_NAMES), NamedThreads.daemons("jobqueue-queue-check-"),
				new ThreadPoolExecutor.DiscardPolicy());
		this.lookups.allowCoreThreadTimeOut(true);
	}

	@Override
	public void enqueued(Map<String, String> queues, Duration took) {
		queues.forEach(this::check);
	}

	/**
	 * Check a saved schedule.
	 * @param handled the types that this node handles, by queue
	 */
	void scheduled(String queue, String type, Map<String, Set<String>> handled) {
		Set<String> types = handled.get(queue);
		if (types == null) {
			check(queue, type);
		}
		else if (!types.contains(type) && this.warned.size() < MAX_NAMES && this.warned.add(queue + ' ' + type)) {
			logger.warn(
					"A schedule is saved for jobs of type '{}' in queue '{}', whose handlers on this node do not take that type; {}. Its jobs wait until a worker takes them",
					type, queue,
					EditDistance.meant(type, types)
						.map("the nearest one is '%s'"::formatted)
						.orElse("no type that they take is similar"));
		}
	}

	/**
	 * Check the steps of an instance of a workflow, whose types are not known before it
	 * starts.
	 * @param handled returns the types that this node handles, by queue
	 */
	void started(String workflow, List<NewStep> steps, Supplier<Map<String, Set<String>>> handled) {
		for (NewStep step : steps) {
			String queue = step.job().queue();
			String name = queue + ' ' + step.job().type();
			if (!this.checked.contains(name) && this.checked.size() < MAX_NAMES && this.checked.add(name)) {
				Set<String> here = handled.get().getOrDefault(queue, Set.of());
				if (!here.contains(step.job().type())) {
					lookUp(queue, name, () -> lookUp(workflow, step, here));
				}
			}
		}
	}

	private void lookUp(String workflow, NewStep step, Set<String> here) {
		NewJob job = step.job();
		Set<String> taken = new TreeSet<>(this.types.apply(job.queue()));
		if (!taken.contains(job.type())) {
			taken.addAll(here);
			logger.warn(
					"Step '{}' of workflow '{}' has jobs of type '{}' in queue '{}', for which neither this node nor an active worker has a handler; {}. They wait until a worker takes them: add a handler, or start the application that has one",
					step.name(), workflow, job.type(), job.queue(), nearest(job.type(), taken));
		}
	}

	private static String nearest(String type, Set<String> types) {
		return EditDistance.meant(type, types)
			.map("the nearest type of the queue is '%s'"::formatted)
			.orElse("no type that its workers take is similar");
	}

	private void check(String queue, String type) {
		if (!this.checked.contains(queue) && this.checked.size() < MAX_NAMES && this.checked.add(queue)
				&& !this.known.get().contains(queue)) {
			lookUp(queue, queue, () -> lookUp(queue, type));
		}
	}

	private void lookUp(String queue, String name, Runnable check) {
		this.lookups.execute(() -> {
			try {
				check.run();
			}
			catch (RuntimeException ex) {
				logger.debug("Could not look up the workers that serve queue {}; the next call tries again", queue, ex);
				this.checked.remove(name);
			}
		});
	}

	private void lookUp(String queue, String type) {
		Set<String> names = new TreeSet<>(this.served.get());
		if (!names.contains(queue)) {
			names.addAll(this.known.get());
			warn(queue, type, names);
		}
	}

	private static void warn(String queue, String type, Set<String> names) {
		logger.atWarn()
			.addKeyValue("job.queue", queue)
			.log("Queue '{}' has no handler, setting or active worker; {}. Its jobs, such as one of type '{}', wait until a worker serves it",
					queue, hint(queue, names), type);
	}

	private static String hint(String queue, Set<String> names) {
		return queue.equals(QueueNames.DEFAULT)
				? "it takes the jobs for which neither the call, nor @JobType, nor a handler on this node names a queue"
				: EditDistance.meant(queue, names)
					.map("the nearest known name is '%s'"::formatted)
					.orElse("no known name is similar");
	}

	@Override
	public void close() {
		this.lookups.shutdownNow();
	}

}
