package io.jobqueue.benchmark.frame;

import io.jobqueue.benchmark.subject.BenchmarkDatabase;

/**
 * What a scenario works with.
 *
 * @param database the database
 * @param scale how large the measurements are
 */
public record Workbench(BenchmarkDatabase database, Scale scale) {

	/**
	 * Scale a number of jobs or rows.
	 * @param whole the number of a whole run
	 * @return the number to use
	 */
	public int scaled(int whole) {
		return this.scale.of(whole);
	}

	/**
	 * Let contenders take turns, another one first in each round, after a round that does
	 * not count: code that is not compiled yet and connections that are not open yet are
	 * not the rate of a process in use.
	 * @param contenders the contenders
	 * @return what they reached
	 */
	public Samples alternate(Contender... contenders) throws Exception {
		for (Contender contender : contenders) {
			contender.measurement().measure();
		}
		return alternateAtOnce(contenders);
	}

	/**
	 * Let contenders that warm up by themselves take turns, another one first in each
	 * round.
	 * @param contenders the contenders
	 * @return what they reached
	 */
	public Samples alternateAtOnce(Contender... contenders) throws Exception {
		Samples samples = new Samples();
		for (int round = 0; round < this.scale.rounds(); round++) {
			for (int turn = 0; turn < contenders.length; turn++) {
				Contender contender = contenders[(round + turn) % contenders.length];
				samples.add(contender.name(), contender.measurement().measure());
			}
		}
		return samples;
	}

}
