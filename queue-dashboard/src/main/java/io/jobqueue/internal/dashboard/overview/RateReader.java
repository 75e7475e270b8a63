package io.jobqueue.internal.dashboard.overview;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.OverviewStore;
import io.jobqueue.internal.store.StatisticsStore;

/**
 * Reads how many jobs arrive and leave. If that fails or takes too long, the rates are
 * unknown, and the rest of the overview is shown nevertheless.
 */
final class RateReader {

	private static final Logger logger = LoggerFactory.getLogger(RateReader.class);

	private final FailureLog failures = new FailureLog(logger,
			"Could not read how many jobs arrive and leave; the overview does not show it until reading works again",
			"Reading how many jobs arrive and leave works again");

	private final OverviewStore overview;

	private final StatisticsStore statistics;

	RateReader(OverviewStore overview, StatisticsStore statistics) {
		this.overview = overview;
		this.statistics = statistics;
	}

	Rates read() {
		try {
			Rates rates = Rates.of(this.overview.arrivals(), this.statistics.read(Rates.PERIOD, Rates.STEP, null));
			this.failures.succeeded();
			return rates;
		}
		catch (DataAccessException | TransactionException ex) {
			Duration unused = this.failures.failed(ex);
			return Rates.UNKNOWN;
		}
	}

}
