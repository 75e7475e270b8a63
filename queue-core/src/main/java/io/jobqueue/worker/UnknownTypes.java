package io.jobqueue.worker;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.SurveyedTier;

/**
 * Warns of due jobs that no handler here knows, once for each queue and type.
 */
final class UnknownTypes {

	private static final Logger logger = LoggerFactory.getLogger(UnknownTypes.class);

	private final Set<Map.Entry<String, String>> reported = new HashSet<>();

	void report(SurveyedTier surveyed) {
		String type = surveyed.unknownType();
		String queue = surveyed.tier().queue();
		if (type != null && this.reported.add(Map.entry(queue, type))) {
			logger.warn(
					"Queue {} holds due jobs of type '{}', which no handler here knows; they are left for a node that has one",
					queue, type);
		}
	}

}
