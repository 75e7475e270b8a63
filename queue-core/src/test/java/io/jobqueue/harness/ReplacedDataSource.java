package io.jobqueue.harness;

import javax.sql.DataSource;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source like the proxy of a bean in a scope that is refreshed: the target of the
 * proxy changes.
 */
public final class ReplacedDataSource extends DelegatingDataSource implements ScopedObject {

	public ReplacedDataSource(DataSource target) {
		super(target);
	}

	public void replaceBy(DataSource target) {
		setTargetDataSource(target);
	}

	@Override
	public Object getTargetObject() {
		return obtainTargetDataSource();
	}

	@Override
	public void removeFromScope() {
		throw new UnsupportedOperationException();
	}

}
