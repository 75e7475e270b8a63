package io.jobqueue.internal.handler;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ReflectionUtils;

import io.jobqueue.Delivery;

/**
 * What the check of a handler's propagation leaves behind.
 */
class HandlerPropagationTests {

	/**
	 * A static field that keeps it would keep its class loader: the whole application,
	 * where it starts again in the same JVM. Spring's own caches are soft.
	 */
	@Test
	void classThatWasCheckedIsNotKept() throws ReflectiveOperationException {
		WeakReference<Class<?>> handler = checkedInOwnClassLoader();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			AnnotationUtils.clearCache();
			ReflectionUtils.clearCache();
			System.gc();
			return handler.get() == null;
		});
	}

	private static WeakReference<Class<?>> checkedInOwnClassLoader() throws ReflectiveOperationException {
		Class<?> handler = new Restarted().loadClass(Handler.class.getName());
		HandlerSignature.check("A handler", handler.getDeclaredMethod("handle"), handler, Delivery.TRANSACTIONAL);
		return new WeakReference<>(handler);
	}

	static final class Handler {

		@Transactional
		void handle() {
		}

	}

	/**
	 * Loads the handler again, as a restart of the application does.
	 */
	private static final class Restarted extends ClassLoader {

		Restarted() {
			super(HandlerPropagationTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			return name.equals(Handler.class.getName()) ? define(name) : super.loadClass(name, resolve);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = file.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
