package io.jobqueue.internal.dashboard.view;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * What pages say after an action. Only its code is in the address, as links of others
 * must not make a page say something.
 */
final class DoneMessages {

	private static final Properties MESSAGES = read();

	private DoneMessages() {
	}

	static @Nullable String of(String code) {
		return MESSAGES.getProperty(code);
	}

	private static Properties read() {
		try {
			return PropertiesLoaderUtils.loadProperties(new ClassPathResource("done.properties", DoneMessages.class));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
