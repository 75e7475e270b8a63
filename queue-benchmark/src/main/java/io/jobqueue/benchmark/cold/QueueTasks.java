package io.jobqueue.benchmark.cold;

import java.util.concurrent.CountDownLatch;

import io.jobqueue.Priority;
import io.jobqueue.benchmark.enqueue.QueueTransaction;
import io.jobqueue.benchmark.latency.LatencyProbe;
import io.jobqueue.benchmark.latency.TimedEnqueue;
import io.jobqueue.benchmark.subject.MeasuredQueue;
import io.jobqueue.benchmark.timing.Arrivals;
import io.jobqueue.benchmark.timing.Rate;

/**
 * The tasks of an application with the queue.
 */
final class QueueTasks {

	private QueueTasks() {
	}

	static ColdFigures drain(MeasuredQueue queue, int jobs) throws Exception {
		return ColdFigures.of(queue.drainFilled(jobs));
	}

	static ColdFigures latency(MeasuredQueue queue, int jobs) throws Exception {
		return Delays.first(probe(queue), jobs);
	}

	static ColdFigures idle(MeasuredQueue queue, int seconds) throws Exception {
		return Delays.afterIdling(probe(queue), seconds);
	}

	private static LatencyProbe probe(MeasuredQueue queue) {
		Arrivals arrivals = new Arrivals();
		queue.noOps().onJob((number) -> arrivals.now());
		queue.startWorker();
		return new LatencyProbe(new TimedEnqueue(queue, Priority.USER_VISIBLE), arrivals::await);
	}

	static ColdFigures transactions(MeasuredQueue queue, int transactions) throws Exception {
		QueueTransaction transaction = new QueueTransaction(queue, 1);
		return Portions.transactions(transactions, transaction::commit);
	}

	static ColdFigures bulk(MeasuredQueue queue, int jobs) throws Exception {
		return Portions.bulk(jobs, (from, to) -> queue.jobQueue().enqueueAll(MeasuredQueue.requests(from, to)));
	}

	/**
	 * Measure the time from the start of the worker to the first handler.
	 */
	static ColdFigures first(MeasuredQueue queue, int jobs) throws Exception {
		CountDownLatch first = new CountDownLatch(1);
		queue.noOps().onJob((number) -> first.countDown());
		long start = System.nanoTime();
		queue.startWorker();
		first.await();
		return ColdFigures.of(Rate.millisSince(start));
	}

}
