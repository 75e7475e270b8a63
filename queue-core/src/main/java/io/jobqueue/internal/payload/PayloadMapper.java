package io.jobqueue.internal.payload;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.StdDateFormat;

/**
 * The mapper of payloads, which does not depend on the JSON that the application sends
 * and receives. Where Jackson's defaults do not read what they wrote, it differs from
 * them: values that were written come back equal.
 */
public final class PayloadMapper {

	private PayloadMapper() {
	}

	/**
	 * Return a builder with Jackson's defaults, the modules of the class path, and the
	 * settings without which values would be lost.
	 * @return a new builder
	 */
	public static JsonMapper.Builder builder() {
		return withSettings(JsonMapper.builder().findAndAddModules(PayloadMapper.class.getClassLoader()));
	}

	/**
	 * Set what decides on names and values: without these settings, empty values, zones,
	 * offsets, scales of decimals or enum constants would be lost, and stored names would
	 * not be read any more.
	 * @param builder the builder, which others may have changed
	 * @return the builder
	 */
	public static JsonMapper.Builder withSettings(JsonMapper.Builder builder) {
		return builder.changeDefaultPropertyInclusion((inclusion) -> JsonInclude.Value.empty())
			.propertyNamingStrategy(null)
			.changeDefaultVisibility((visibility) -> VisibilityChecker.defaultInstance())
			.defaultDateFormat(StdDateFormat.instance)
			.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
					DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
			.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
	}

}
