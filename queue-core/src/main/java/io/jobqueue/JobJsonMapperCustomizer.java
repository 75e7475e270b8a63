package io.jobqueue;

import tools.jackson.databind.json.JsonMapper;

/**
 * Changes the mapper with which payloads are written as JSON and read again. Beans of
 * this type are called in their order, once, before the first payload.
 * <p>
 * Stored jobs are not rewritten: a change of names, of what is left out, or of the format
 * of dates must be able to read what is stored. All nodes need the same customizers. The
 * job queue decides last on two settings: payloads have no default typing, and unknown
 * properties are ignored.
 */
@FunctionalInterface
public interface JobJsonMapperCustomizer {

	/**
	 * Change the mapper. What this throws fails the start.
	 * @param builder the builder of the mapper of payloads
	 */
	void customize(JsonMapper.Builder builder);

}
