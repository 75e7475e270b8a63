package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.EditDistance;

/**
 * Warns of each type, once, whose schedule is saved although the handlers of its queue on
 * this node do not take it. A queue without a handler here is checked as for
 * {@code enqueue}.
 */
final class ScheduledTypeCheck implements BiConsumer<String, String> {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledTypeCheck.class);

	private final Supplier<Map<String, Set<String>>> handled;

	private final EnqueuedQueueCheck queues;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Create a check.
	 * @param handled returns the handled types by their queues
	 * @param queues checks queues
	 */
	ScheduledTypeCheck(Supplier<Map<String, Set<String>>> handled, EnqueuedQueueCheck queues) {
		this.handled = handled;
		this.queues = queues;
	}

	@Override
	public void accept(String queue, String type) {
		Set<String> types = this.handled.get().get(queue);
		if (types == null) {
			this.queues.check(queue, type);
		}
		else if (!types.contains(type) && this.warned.size() < EnqueuedQueueCheck.MAX_NAMES
				&& this.warned.add(queue + ' ' + type)) {
			logger.warn(
					"A schedule is saved for jobs of type '{}' in queue '{}', whose handlers on this node do not take that type; {}. Its jobs wait until a worker takes them",
					type, queue,
					EditDistance.meant(type, types)
						.map("the nearest one is '%s'"::formatted)
						.orElse("no type that they take is similar"));
		}
	}

}
