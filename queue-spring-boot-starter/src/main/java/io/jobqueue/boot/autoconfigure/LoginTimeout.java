package io.jobqueue.boot.autoconfigure;

import java.util.Properties;

import javax.sql.DataSource;

import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * Lets a login of PostgreSQL's driver fail when the server has not answered for 10
 * seconds. The driver's {@code connectTimeout} ends with the TCP handshake. What the URL
 * or the settings of the pool say comes first.
 */
final class LoginTimeout {

	private static final String PROPERTY = "socketTimeout";

	private static final int SECONDS = 10;

	private LoginTimeout() {
	}

	/**
	 * Return what to add to the properties of a connection. Drivers around PostgreSQL's
	 * may count in another unit.
	 */
	static Properties properties(String url) {
		Properties properties = new Properties();
		if (url.startsWith("jdbc:postgresql:")) {
			properties.setProperty(PROPERTY, String.valueOf(SECONDS));
		}
		return properties;
	}

	static void setFor(DataSource source) {
		BeanWrapper bean = PropertyAccessorFactory.forBeanPropertyAccess(source);
		if (source.getClass().getName().startsWith("org.postgresql.") && bean.isWritableProperty(PROPERTY)) {
			bean.setPropertyValue(PROPERTY, SECONDS);
		}
	}

}
