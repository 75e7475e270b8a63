package io.jobqueue.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads that handlers of one queue run on.
 */
final class HandlerThreads {

	private static final long KEEP_ALIVE_SECONDS = 60;

	private HandlerThreads() {
	}

	static Executor of(String queue, int concurrency, WorkerSettings settings) {
		String prefix = "jobqueue-%s@%s-".formatted(queue, settings.name());
		return settings.virtualThreads() ? virtual(prefix) : platform(prefix, concurrency);
	}

	private static Executor virtual(String prefix) {
		SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor(prefix);
		executor.setVirtualThreads(true);
		return executor;
	}

	private static Executor platform(String prefix, int concurrency) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(concurrency, concurrency, KEEP_ALIVE_SECONDS,
				TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(prefix));
		executor.allowCoreThreadTimeOut(true);
		return executor;
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
