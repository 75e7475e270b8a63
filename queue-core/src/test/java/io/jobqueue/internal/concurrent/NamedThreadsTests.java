package io.jobqueue.internal.concurrent;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What threads take over from the thread that starts them.
 */
class NamedThreadsTests {

	private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

	static List<BiFunction<String, String, ThreadFactory>> kinds() {
		List<BiFunction<String, String, ThreadFactory>> platform = List.of(NamedThreads::of, NamedThreads::daemons,
				(node, role) -> NamedThreads.daemons(node + role));
		return (Runtime.version().feature() >= 21)
				? Stream.concat(platform.stream(), Stream.of(NamedThreads::virtual)).toList() : platform;
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void threadInheritsNoValuesOfTheRequestThatStartsIt(BiFunction<String, String, ThreadFactory> kind)
			throws Exception {
		ThreadFactory threads = kind.apply("web-1", "emails");
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

	/**
	 * In an executable jar and after a restart by the developer tools, the context class
	 * loader of the main thread is the application's, and the system's knows none of its
	 * classes.
	 */
	@ParameterizedTest
	@MethodSource("kinds")
	void contextClassLoaderIsThatOfTheFactory(BiFunction<String, String, ThreadFactory> kind) throws Exception {
		ClassLoader system = Thread.currentThread().getContextClassLoader();
		AtomicReference<@Nullable ClassLoader> inherited = new AtomicReference<>();
		try (URLClassLoader application = new URLClassLoader(new URL[0])) {
			Thread.currentThread().setContextClassLoader(application);
			ThreadFactory threads = kind.apply("web-1", "fetcher");
			Thread.currentThread().setContextClassLoader(system);
			run(threads, () -> inherited.set(Thread.currentThread().getContextClassLoader()));
			assertThat(inherited).hasValue(application);
		}
		finally {
			Thread.currentThread().setContextClassLoader(system);
		}
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
