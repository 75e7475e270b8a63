package io.jobqueue.handler;

import java.util.function.UnaryOperator;

/**
 * Resolves the placeholders in the attributes of a handler's annotation.
 *
 * @param handler how messages name the handler
 * @param placeholders what replaces the placeholders of a text
 */
record HandlerPlaceholders(String handler, UnaryOperator<String> placeholders) {

	String resolve(String attribute, String given) {
		try {
			return this.placeholders.apply(given);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidHandlerException(
					"%s has %s = \"%s\", whose placeholder has no value".formatted(this.handler, attribute, given),
					"Set that property, or add a default to the placeholder, as in ${name:default}");
		}
	}

}
