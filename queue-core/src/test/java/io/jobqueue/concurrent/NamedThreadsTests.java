package io.jobqueue.concurrent;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What threads take over from the thread that starts them.
 */
class NamedThreadsTests {

	private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

	@Test
	void threadInheritsNoValuesOfTheRequestThatStartsIt() throws Exception {
		ThreadFactory threads = NamedThreads.daemons("web-1", "emails");
		AtomicReference<@Nullable String> inherited = new AtomicReference<>("unknown");
		USER.set("alice");
		try {
			run(threads, () -> inherited.set(USER.get()));
		}
		finally {
			USER.remove();
		}
		assertThat(inherited).hasNullValue();
	}

	@Test
	void contextClassLoaderIsThatOfTheFactory() throws Exception {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		ThreadFactory threads = NamedThreads.of("web-1", "fetcher");
		AtomicReference<@Nullable ClassLoader> inherited = new AtomicReference<>();
		try (URLClassLoader other = new URLClassLoader(new URL[0])) {
			Thread.currentThread().setContextClassLoader(other);
			run(threads, () -> inherited.set(Thread.currentThread().getContextClassLoader()));
		}
		finally {
			Thread.currentThread().setContextClassLoader(own);
		}
		assertThat(inherited).hasValue(own);
	}

	@Test
	@SuppressWarnings("ThreadPriorityCheck")
	void threadIsNamedAndKeepsItsOwnPriority() throws Exception {
		ThreadFactory threads = NamedThreads.of("web-1", "fetcher");
		Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
		try {
			Thread thread = run(threads, () -> {
			});
			assertThat(thread.getName()).isEqualTo("jobqueue@web-1-fetcher-1");
			assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
			assertThat(thread.isDaemon()).isFalse();
		}
		finally {
			Thread.currentThread().setPriority(Thread.NORM_PRIORITY);
		}
		assertThat(NamedThreads.daemons("web-1", "emails").newThread(() -> {
		}).isDaemon()).isTrue();
	}

	private static Thread run(ThreadFactory threads, Runnable task) throws InterruptedException {
		Thread thread = threads.newThread(task);
		thread.start();
		thread.join();
		return thread;
	}

}
