package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * About half of the connections break in the middle of an answer.
 */
record CutConnections(CuttableProxy proxy) implements Fault {

	@Override
	public void strike(Random random) {
		this.proxy.cut(random);
	}

}
