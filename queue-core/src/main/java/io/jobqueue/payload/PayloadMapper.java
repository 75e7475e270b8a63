package io.jobqueue.payload;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

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
	 * settings without which zones, offsets, scales of decimals and enum constants would
	 * be lost.
	 * @return a new builder
	 */
	public static JsonMapper.Builder builder() {
		return JsonMapper.builder()
			.findAndAddModules(PayloadMapper.class.getClassLoader())
			.enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
			.disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE, DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
			.disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
			.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
	}

}
