package io.jobqueue.worker;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.LogText;
import io.jobqueue.store.JobStore.TierBacklog;
import io.jobqueue.store.JobStore.TierBacklog.UnknownJobs;

/**
 * Warns of due jobs that no handler here knows, once for each queue and type.
 */
final class UnknownTypes {

	private static final Logger logger = LoggerFactory.getLogger(UnknownTypes.class);

	private final Set<Map.Entry<String, String>> reported = new HashSet<>();

	void report(TierBacklog surveyed) {
		UnknownJobs unknown = surveyed.unknown();
		String queue = surveyed.tier().queue();
		if (unknown != null && this.reported.add(Map.entry(queue, unknown.type()))) {
			logger.warn(
					"Queue {} holds {} of types which no handler here knows, such as '{}'; they are left for a node that has one",
					queue, counted(unknown.jobs()), unknown.type());
		}
	}

	private static String counted(long jobs) {
		return ((jobs == UnknownJobs.LOOKED_AT) ? "at least " : "") + LogText.counted(jobs, "due job");
	}

}
