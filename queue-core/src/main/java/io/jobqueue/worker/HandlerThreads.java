package io.jobqueue.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that handlers of one queue run on. How many there are is for its lane to
 * say.
 */
final class HandlerThreads {

	private static final long KEEP_ALIVE_SECONDS = 10;

	private HandlerThreads() {
	}

	static Executor of(String queue, WorkerSettings settings) {
		String prefix = "jobqueue-%s@%s-".formatted(queue, settings.name());
		return settings.virtualThreads() ? virtual(prefix) : platform(prefix);
	}

	private static Executor virtual(String prefix) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(prefix);
		executor.setVirtualThreads(true);
		return executor;
	}

	private static Executor platform(String prefix) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new SynchronousQueue<>(), daemons(prefix));
	}

	/**
	 * A handler that is deaf to a stop must not keep the JVM from ending.
	 */
	private static CustomizableThreadFactory daemons(String prefix) {
		CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
		threads.setDaemon(true);
		return threads;
	}

}
