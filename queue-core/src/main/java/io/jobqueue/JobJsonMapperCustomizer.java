package io.jobqueue;

import tools.jackson.databind.json.JsonMapper;

/**
 * Customizes the mapper that writes and reads payloads as JSON. Beans of this type are
 * called in their order, once, before the first payload.
 * <p>
 * Stored jobs are not rewritten: after a change of names, omitted values or date formats,
 * the mapper must still read them. All nodes need the same customizers. The job queue
 * overrides two settings: payloads have no default typing, and unknown properties are
 * ignored.
 */
@FunctionalInterface
public interface JobJsonMapperCustomizer {

	/**
	 * Customize the mapper. An exception fails the start.
	 * @param builder the builder of the mapper of payloads
	 */
	void customize(JsonMapper.Builder builder);

}
