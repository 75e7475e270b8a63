package io.jobqueue.internal.handler;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobHandler;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.store.StorableText;

/**
 * The subscription that the annotation of a handler declares.
 *
 * @param topic the topic
 * @param subscriber the subscriber
 * @param filter the headers that published jobs must have, each as {@code name=value}
 */
record TopicAttributes(String topic, String subscriber, Set<String> filter) {

	/**
	 * Read the attributes of a handler, each its own or that of its class.
	 * @return the subscription, {@code null} if the handler names no topic
	 */
	static @Nullable TopicAttributes of(HandlerAttributes attributes, JobHandler annotation,
			@Nullable JobHandler onClass) {
		Reader reader = new Reader(attributes, annotation, (onClass != null) ? onClass : annotation);
		String topic = reader.text("topic", JobHandler::topic);
		String subscriber = reader.text("subscriber", JobHandler::subscriber);
		String filter = reader.text("filter", JobHandler::filter);
		if (topic.isEmpty() && subscriber.isEmpty() && filter.isEmpty()) {
			return null;
		}
		return new TopicAttributes(reader.name("topic", topic), reader.name("subscriber", subscriber),
				reader.filter(filter));
	}

	/**
	 * Reads the attributes of a handler.
	 */
	private record Reader(HandlerAttributes attributes, JobHandler annotation, JobHandler onClass) {

		String text(String attribute, Function<JobHandler, String> value) {
			String own = value.apply(this.annotation);
			return this.attributes.resolve(attribute, own.isEmpty() ? value.apply(this.onClass) : own).strip();
		}

		String name(String attribute, String name) {
			if (name.isEmpty()) {
				throw new InvalidHandlerException(
						"%s declares a subscription without a %s".formatted(this.attributes.handler(), attribute),
						"Set topic and subscriber, or none of topic, subscriber and filter");
			}
			if (!QueueNames.isValid(name)) {
				throw new InvalidHandlerException("%s has %s = \"%s\", which is not a valid name".formatted(
						this.attributes.handler(), attribute, name), "Use a name that matches " + QueueNames.RULE);
			}
			return name;
		}

		Set<String> filter(String filter) {
			rejectUnstorable(filter);
			Map<String, String> headers = new TreeMap<>();
			for (String part : filter.isEmpty() ? new String[0] : filter.split(",", -1)) {
				int end = part.indexOf('=');
				String name = part.substring(0, Math.max(end, 0)).strip();
				rejectReserved(filter, name);
				if (name.isEmpty() || headers.put(name, part.substring(end + 1).strip()) != null) {
					throw new InvalidHandlerException(
							"%s has filter = \"%s\"".formatted(this.attributes.handler(), filter),
							"List each header once with its value, as in \"region=eu,kind=retail\"");
				}
			}
			Set<String> all = new TreeSet<>();
			headers.forEach((name, value) -> all.add(name + "=" + value));
			return all;
		}

		private void rejectUnstorable(String filter) {
			if (!StorableText.isStorable(filter)) {
				throw new InvalidHandlerException(
						"%s has a filter with the character NUL or an unpaired surrogate, which no stored text has"
							.formatted(this.attributes.handler()),
						"Remove the character from the filter");
			}
		}

		/**
		 * No published request can have such a header.
		 */
		private void rejectReserved(String filter, String name) {
			if (name.startsWith(Headers.RESERVED)) {
				throw new InvalidHandlerException(
						"%s has filter = \"%s\", but header '%s' is reserved for the queue"
							.formatted(this.attributes.handler(), filter, name),
						"Filter by headers whose names do not begin with " + Headers.RESERVED);
			}
		}

	}

}
