package io.jobqueue.internal.dashboard.view;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
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

	/**
	 * The beginnings of the codes of each section.
	 */
	private static final Map<String, String> SECTIONS = Map.of("/jobs", "job.", "/pauses", "queue.", "/recurring",
			"schedule.", "/workflows", "workflow.");

	private DoneMessages() {
	}

	/**
	 * Return the message of an action that leads to a page of the section.
	 */
	static @Nullable String of(String code, String section) {
		String beginning = SECTIONS.get(section);
		return (beginning != null && code.startsWith(beginning)) ? MESSAGES.getProperty(code) : null;
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
